import { Outlet, createRootRoute } from '@tanstack/react-router';
import { Suspense, lazy } from 'react';

import { useSessionState } from '../api/session.js';

const SessionEndedDialog = lazy(() => import('./session-ended-dialog.js'));

export const rootRoute = createRootRoute({ component: Root });

function Root() {
  const { ended } = useSessionState();
  return (
    <>
      <Outlet />
      {ended && (
        <Suspense>
          <SessionEndedDialog />
        </Suspense>
      )}
    </>
  );
}
