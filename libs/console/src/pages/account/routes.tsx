import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { rootRoute } from '../../app/root-route.js';
import { signedIn } from '../../app/signed-in.js';

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'account',
  beforeLoad: signedIn,
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
