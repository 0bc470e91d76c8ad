import { client } from '@gatehouse/client/operations';

import { basePath } from './base.js';
import { confirmedFetch } from './confirmed-fetch.js';
import { placeHeaders } from './place.js';
import { Problem, isProblem, problemOf } from './problem.js';
import { sessionEnded } from './session.js';

/**
 * The generated client, for this origin: the session's cookie goes with each request, no script ever sees it.
 * @param confirm asks the person to confirm that it is them
 */
export function configureClient(confirm: () => Promise<void>): void {
  const fetch = confirmedFetch(confirm) as typeof globalThis.fetch;
  client.setConfig({ baseUrl: basePath, credentials: 'same-origin', fetch });
  client.interceptors.request.use(actInPlace);
  client.interceptors.error.use(noticedProblem);
}

/** Whatever was asked for: where there is no session any more, the page asks to sign in again. */
export function noticedProblem(error: unknown, response: Response | undefined): unknown {
  const problem = problemOf(error, response);
  if (!isProblem(problem, 'unauthorized')) return problem;
  sessionEnded();
  const message = 'You are signed out, so this was not done. Sign in, then try again.';
  return new Problem({ ...problem, message });
}

/** Where the caller named a workspace itself, that one counts. */
export function actInPlace(request: Request): Request {
  if (request.headers.has('x-workspace')) return request;
  for (const [name, value] of Object.entries(placeHeaders())) {
    if (!request.headers.has(name)) request.headers.set(name, value);
  }
  return request;
}
