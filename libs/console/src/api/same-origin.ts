import { basePath } from './base.js';

/** A request below the service's address, with the session's cookie. `json` is its body. */
export function sameOrigin(path: string, init: RequestInit, json?: unknown): Request {
  if (json === undefined) return new Request(`${basePath}${path}`, { ...init, credentials: 'same-origin' });
  const request = sameOrigin(path, { ...init, body: JSON.stringify(json) });
  request.headers.set('content-type', 'application/json');
  return request;
}
