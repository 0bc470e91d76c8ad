import { hashToken, tokenKind, type TokenKind } from '../crypto/index.js';
import { type GatehouseRequest, singleHeader } from '../http/index.js';

/** The hash of the bearer token in `Authorization`; null unless there is a well-formed one of that kind. */
export function bearerTokenHash(request: GatehouseRequest, kind: TokenKind): Buffer | null {
  const token = /^Bearer +(\S+) *$/i.exec(singleHeader(request, 'authorization') ?? '')?.[1];
  return token !== undefined && tokenKind(token) === kind ? hashToken(token) : null;
}
