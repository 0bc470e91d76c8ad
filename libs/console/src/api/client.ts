import { client } from '@gatehouse/client';

import { basePath } from './base.js';
import { DEFAULT_ENVIRONMENT, currentPlace } from './place.js';
import { problemOf } from './problem.js';

/** The generated client, for this origin: the session's cookie goes with each request, no script ever sees it. */
export function configureClient(): void {
  client.setConfig({ baseUrl: basePath, credentials: 'same-origin' });
  client.interceptors.request.use(actInPlace);
  client.interceptors.error.use(problemOf);
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
