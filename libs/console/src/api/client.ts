import { client } from '@gatehouse/client/operations';

import { basePath } from './base.js';
import { DEFAULT_ENVIRONMENT, currentPlace } from './place.js';
import { Problem, isProblem, problemOf } from './problem.js';
import { sessionEnded } from './session.js';

const SIGNS_IN = /\/v1\/auth\/(login|second-factor|passkey)$/;

/** The generated client, for this origin: the session's cookie goes with each request, no script ever sees it. */
export function configureClient(): void {
  client.setConfig({ baseUrl: basePath, credentials: 'same-origin' });
  client.interceptors.request.use(actInPlace);
  client.interceptors.error.use(noticedProblem);
}

/** Whatever was asked for: where there is no session any more, the page asks to sign in again. */
export function noticedProblem(
  error: unknown,
  response: Response | undefined,
  request: Pick<Request, 'url'> | undefined,
): unknown {
  const problem = problemOf(error, response);
  // Signing in is refused alike.
  if (!isProblem(problem, 'unauthorized') || SIGNS_IN.test(request?.url ?? '')) return problem;
  sessionEnded();
  const message = 'You are signed out, so this was not done. Sign in, then try again.';
  return new Problem({ ...problem, message });
}

/** Where the caller named a workspace itself, that one counts. */
export function actInPlace(request: Request): Request {
  const place = currentPlace();
  if (place === null || request.headers.has('x-workspace')) return request;
  request.headers.set('x-workspace', place.workspace);
  if (place.environment !== DEFAULT_ENVIRONMENT && !request.headers.has('x-environment')) {
    request.headers.set('x-environment', place.environment);
  }
  return request;
}
