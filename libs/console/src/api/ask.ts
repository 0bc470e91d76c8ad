import { basePath } from './base.js';
import { actInPlace, noticedProblem } from './client.js';

interface Asking {
  method: string;
  /** Below the service's address: `/v1/tickets/settings`. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** Asks a route that the generated client does not know, such as an extension's, as the person in the place of the page. */
export function ask({ method, path, body }: Asking): Promise<Response> {
  const init: RequestInit = { method, credentials: 'same-origin' };
  if (body !== undefined) {
    init.headers = { 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  const request = actInPlace(new Request(`${basePath}${path}`, init));
  return fetch(request).catch((error: unknown) => {
    throw noticedProblem(error, undefined, request);
  });
}

/**
 * What the route gives, read as JSON.
 * @throws Problem
 */
export async function askForJson(asking: Asking): Promise<unknown> {
  const response = await ask(asking);
  const text = await response.text();
  const body: unknown = text === '' ? null : JSON.parse(text);
  if (!response.ok) throw noticedProblem(body, response, { url: asking.path });
  return body;
}
