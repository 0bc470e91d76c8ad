import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';

import { loadSession } from '../../api/session.js';
import { rootRoute } from '../../app/root-route.js';

export const accountRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'account',
    beforeLoad: async ({ location }) => {
      if (!(await loadSession())) throw redirect({ to: '/sign-in', search: { next: location.href } });
    },
    component: lazyRouteComponent(() => import('./account-page.js'), 'AccountPage'),
  }),
];
