import { createRoute, notFound, redirect } from '@tanstack/react-router';

import { lazyPage } from './lazy-page.js';
import { enterPlace } from '../api/place.js';
import { loadSession } from '../api/session.js';
import { rememberPlace } from './places.js';
import { rootRoute } from './root-route.js';

/** Everything within one workspace and environment: `/w/acme/-/scripts`. */
export const workspaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'w/$workspace/$environment',
  beforeLoad: async ({ params, location, preload }) => {
    const user = await loadSession();
    if (!user) throw redirect({ to: '/sign-in', search: { next: location.href } });
    if (!user.workspaces.some(({ slug }) => slug === params.workspace)) throw notFound();
    if (preload) return;
    enterPlace(params);
    rememberPlace(params);
  },
  component: lazyPage(() => import('./workspace-frame.js'), 'WorkspaceFrame'),
});
