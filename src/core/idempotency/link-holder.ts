import { hashToken } from '../crypto/index.js';
import type { GatehouseRequest } from '../http/index.js';

/**
 * What stands for a credential on a route that is opened by a link: the link's token and, where one comes with it, the
 * session. So nobody without the link gets a stored response, nor does another person who has the same link.
 *
 * @param place where the link's token is; undefined for a route without
 * @returns null where there is no token
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
