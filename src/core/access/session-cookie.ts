import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { Settings } from '../config/settings.js';

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

  read({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
    for (const pair of headers.cookie?.split(';') ?? []) {
      const separator = pair.indexOf('=');
      if (separator > 0 && pair.slice(0, separator).trim() === this.name)
        return pair.slice(separator + 1).trim() || null;
    }
    return null;
  }

  set(value: string, maxAgeSeconds: number): string {
    return this.write(value, maxAgeSeconds);
  }

  /** What takes it away. */
  clear(): string {
    return this.write('', 0);
  }

  private write(value: string, maxAgeSeconds: number): string {
    const secure = this.secure ? ['Secure'] : [];
    const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${maxAgeSeconds}`, ...secure];
    return [`${this.name}=${value}`, ...attributes].join('; ');
  }
}
