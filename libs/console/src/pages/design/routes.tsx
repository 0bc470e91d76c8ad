import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { rootRoute } from '../../app/root-route.js';

/** Only in development: `npm run dev`. */
export const designRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/design',
    component: lazyPage(() => import('./design-page.js'), 'DesignPage'),
  }),
];
