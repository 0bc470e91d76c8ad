import { createRoute, redirect } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { loadSession } from '../../api/session.js';
import { rootRoute } from '../../app/root-route.js';

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'account',
  beforeLoad: async ({ location }) => {
    if (!(await loadSession())) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
  component: lazyPage(() => import('./account-frame.js'), 'AccountFrame'),
});

export const accountRoutes = [
  accountRoute.addChildren([
    createRoute({
      getParentRoute: () => accountRoute,
      path: '/',
      component: lazyPage(() => import('./account-page.js'), 'AccountPage'),
    }),
    createRoute({
      getParentRoute: () => accountRoute,
      path: 'tokens/new',
      component: lazyPage(() => import('./tokens/new-token-page.js'), 'NewTokenPage'),
    }),
  ]),
];
