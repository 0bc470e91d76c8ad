import { QueryClient } from '@tanstack/react-query';

import { isProblem } from './problem.js';

const RETRIES = 3;

/** What changes is told by the event stream, so what was read stays good until then. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // What the browser knows of the network says nothing of the service, which may be on this machine.
        networkMode: 'always',
        staleTime: 30_000,
        retry: (failures, error) => failures < RETRIES && isProblem(error) && mayPass(error.status),
        retryDelay: (attempt, error) =>
          (isProblem(error) ? error.retryAfterMs : null) ?? Math.min(500 * 2 ** attempt, 5_000),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

function mayPass(status: number): boolean {
  return status === 0 || status === 429 || status === 503;
}
