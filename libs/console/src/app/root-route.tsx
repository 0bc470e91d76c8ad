import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, createRootRoute } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';

import { lazily } from '../kit/lazily.js';
import { newQueryClient } from '../api/query-client.js';
import { useSessionState } from '../api/session.js';
import { useReadAgain } from './use-read-again.js';

const Overlays = lazily(() => idle().then(() => import('./overlays.js')));
const SessionEndedDialog = lazily(() => import('./session-ended-dialog.js'));

export const rootRoute = createRootRoute({ component: Root });

/** Until the page has been drawn: nothing is asked or told before. Not all browsers say when they are idle. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2_000 });
    else setTimeout(resolve, 500);
  });
}

function Root() {
  const { ended, user } = useSessionState();
  // For the pages outside of a workspace: what one person has read is never shown to the next.
  const queries = useMemo(() => newQueryClient(), [user?.id]);
  useReadAgain(queries);
  return (
    <QueryClientProvider client={queries}>
      <Outlet />
      <Suspense>
        <Overlays />
      </Suspense>
      {ended && (
        <Suspense>
          <SessionEndedDialog />
        </Suspense>
      )}
    </QueryClientProvider>
  );
}
