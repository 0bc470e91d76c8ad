import { parseCookie, stringifySetCookie } from 'cookie';

import type { Settings } from '../config/index.js';
import type { GatehouseRequest } from './request.js';

/**
 * A cookie that scripts of pages do not see. Behind TLS its name begins with `__Host-`. Browsers take such a cookie
 * only from this host and over TLS, so no neighbouring domain and no page without TLS can replace it. Lax: it comes
 * along when somebody follows a link from another site, and not with what that site sends.
 */
export abstract class HostCookie {
  readonly name: string;
  private readonly secure: boolean;

  constructor(name: string, { secureCookies }: Settings) {
    this.secure = secureCookies;
    this.name = secureCookies ? `__Host-${name}` : name;
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
