import { actInPlace, noticedProblem } from './client.js';
import { jsonOrNull } from './json-or-null.js';
import { sameOrigin } from './same-origin.js';

interface Asking {
  method: string;
  /** Below the service's address: `/v1/tickets/settings`. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** Asks a route that the generated client does not know, such as an extension's, as the person in the place of the page. */
export function ask({ method, path, body }: Asking): Promise<Response> {
  return fetch(actInPlace(sameOrigin(path, { method }, body))).catch((error: unknown) => {
    throw noticedProblem(error, undefined);
  });
}

/**
 * What the route gives, read as JSON.
 * @throws Problem
 */
export async function askForJson(asking: Asking): Promise<unknown> {
  const response = await ask(asking);
  const text = await response.text();
  if (!response.ok) throw noticedProblem(jsonOrNull(text), response);
  return text === '' ? null : JSON.parse(text);
}
