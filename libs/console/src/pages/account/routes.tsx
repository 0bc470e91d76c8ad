import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';

import { loadSession } from '../../api/session.js';
import { rootRoute } from '../../app/root-route.js';

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'account',
  beforeLoad: async ({ location }) => {
    if (!(await loadSession())) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
  component: lazyRouteComponent(() => import('./account-frame.js'), 'AccountFrame'),
});

export const accountRoutes = [
  accountRoute.addChildren([
    createRoute({
      getParentRoute: () => accountRoute,
      path: '/',
      component: lazyRouteComponent(() => import('./account-page.js'), 'AccountPage'),
    }),
    createRoute({
      getParentRoute: () => accountRoute,
      path: 'tokens/new',
      component: lazyRouteComponent(() => import('./tokens/new-token-page.js'), 'NewTokenPage'),
    }),
  ]),
];
