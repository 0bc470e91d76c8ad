import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';

import { Settings } from '../config/settings.js';
import type { GatehouseRequest } from '../http/request.js';

const NAME = 'gatehouse_session';

/**
 * The cookie of a session. Behind TLS its name begins with `__Host-`: browsers take such a cookie from this very host
 * alone, over TLS, so that neither a neighbouring domain nor a page without TLS can slip somebody another session.
 */
@Injectable()
export class SessionCookie {
  readonly name: string;
  private readonly secure: boolean;

  constructor({ secureCookies }: Settings) {
    this.secure = secureCookies;
    this.name = secureCookies ? `__Host-${NAME}` : NAME;
  }

  read({ headers }: Pick<GatehouseRequest, 'headers'>): string | null {
    return (headers.cookie && parseCookie(headers.cookie)[this.name]) || null;
  }

  set(value: string, maxAge: number): string {
    const { name, secure } = this;
    return stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', maxAge, secure });
  }

  /** What takes it away. */
  clear(): string {
    return this.set('', 0);
  }
}
