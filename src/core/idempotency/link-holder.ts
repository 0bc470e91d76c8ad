import { hashToken } from '../crypto/tokens.js';
import type { GatehouseRequest } from '../http/request.js';

/**
 * Whoever holds a link, in the place of a credential: nobody else is given their answers, nor is another person whose
 * session comes with the same link.
 *
 * @param place where the link's token is; undefined for a route without
 * @param session the session's, where one comes with it
 * @returns null where there is none
 */
export function linkHolder(
  request: GatehouseRequest,
  place: 'path' | 'body' | undefined,
  session: string | null,
): string | null {
  if (place === undefined) return null;
  const { token } = ((place === 'path' ? request.params : request.body) ?? {}) as { token?: unknown };
  if (typeof token !== 'string') return null;
  return `link_${hashToken(JSON.stringify([token, session ?? ''])).toString('hex')}`;
}
