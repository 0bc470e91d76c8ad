import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';

import { Settings } from '../core/config/settings.js';
import type { GatehouseRequest } from '../core/http/request.js';

const NAME = 'gatehouse_sign_in';

/** Binds a sign-in to the browser that has begun it. A second one in the same browser takes the first one's place. */
@Injectable()
export class SignInCookie {
  private readonly name: string;
  private readonly secure: boolean;

  constructor({ secureCookies }: Settings) {
    this.secure = secureCookies;
    this.name = secureCookies ? `__Host-${NAME}` : NAME;
  }

  read({ headers }: Pick<GatehouseRequest, 'headers'>): string | null {
    return (headers.cookie && parseCookie(headers.cookie)[this.name]) || null;
  }

  /** The `Set-Cookie` header. Lax, since the browser comes back from the provider's site. */
  set(value: string, maxAge: number): string {
    const { name, secure } = this;
    return stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', maxAge, secure });
  }

  clear(): string {
    return this.set('', 0);
  }
}
