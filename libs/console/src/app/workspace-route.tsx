import { createRoute, notFound, redirect } from '@tanstack/react-router';

import { enterPlace } from '../api/place.js';
import { loadSession } from '../api/session.js';
import { enterQueries, enteredQueries, environmentsQuery, pendingRequestsQuery } from './place-queries.js';
import { rememberPlace } from './places.js';
import { rootRoute } from './root-route.js';
import { WorkspaceFrame } from './workspace-frame.js';

/** Everything within one workspace and environment: `/w/acme/-/scripts`. */
export const workspaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'w/$workspace/$environment',
  beforeLoad: async ({ params, location, cause }) => {
    const user = await loadSession();
    if (!user) throw redirect({ to: '/sign-in', search: { next: location.href } });
    if (!user.workspaces.some(({ slug }) => slug === params.workspace)) throw notFound();
    if (cause === 'preload') return { queries: enteredQueries(user.id, params) };
    enterPlace(params);
    rememberPlace(params);
    return { queries: enterQueries(user.id, params, cause === 'enter') };
  },
  // Asked for beside the code of the page, not after it.
  loader: async ({ context: { queries }, params }) => {
    const user = await loadSession();
    const role = user?.workspaces.find(({ slug }) => slug === params.workspace)?.role;
    if (!queries || !role || role === 'guest') return;
    void queries.prefetchQuery(environmentsQuery());
    void queries.prefetchQuery(pendingRequestsQuery());
  },
  component: WorkspaceFrame,
});
