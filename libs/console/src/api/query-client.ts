import { QueryClient } from '@tanstack/react-query';

import { mayPass, retryDelay } from './retries.js';

/** What changes is told by the event stream, so what was read stays good until then. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // What the browser knows of the network says nothing of the service, which may be on this machine.
        networkMode: 'always',
        staleTime: 30_000,
        retry: mayPass,
        retryDelay,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
