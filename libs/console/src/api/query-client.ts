import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

import { isProblem } from './problem.js';

const RETRIES = 3;

/** Told when the session turned out to have ended. */
type OnSignedOut = () => void;

/** What changes is told by the event stream, so what was read stays good until then. */
export function newQueryClient(onSignedOut: OnSignedOut): QueryClient {
  const watch = (error: Error): void => {
    if (isProblem(error, 'unauthorized')) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < RETRIES && isProblem(error) && mayPass(error.status),
        retryDelay: (attempt, error) =>
          (isProblem(error) ? error.retryAfterMs : null) ?? Math.min(500 * 2 ** attempt, 5_000),
      },
      mutations: { retry: false },
    },
  });
}

function mayPass(status: number): boolean {
  return status === 0 || status === 429 || status === 503;
}
