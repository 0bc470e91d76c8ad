import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';

import { Settings } from '../config/settings.js';
import type { GatehouseRequest } from '../http/request.js';

const NAME = 'gatehouse_session';

/**
 * The cookie of a session. Behind TLS its name begins with `__Host-`: browsers take such a cookie only from this host and
 * over TLS, so that neither a neighbouring domain nor a page without TLS can replace somebody's session.
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

  /** The `Set-Cookie` header. `maxAge` is in seconds. */
  set(value: string, maxAge: number): string {
    const { name, secure } = this;
    return stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', maxAge, secure });
  }

  /** The `Set-Cookie` header that deletes it. */
  clear(): string {
    return this.set('', 0);
  }
}
