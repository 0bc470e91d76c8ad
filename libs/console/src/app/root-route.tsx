import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, createRootRoute } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';

import { lazily } from '../kit/lazily.js';
import { newQueryClient } from '../api/query-client.js';
import { useSessionState } from '../api/session.js';
import { useReadAgain } from './use-read-again.js';

const Overlays = lazily(() => import('./overlays.js'));
const SessionEndedDialog = lazily(() => import('./session-ended-dialog.js'));

export const rootRoute = createRootRoute({ component: Root });

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
