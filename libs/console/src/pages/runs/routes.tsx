import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { workspaceRoute } from '../../app/workspace-route.js';

export const runRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'runs',
    component: lazyRouteComponent(() => import('./run-list-page.js'), 'RunListPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'runs/$runId',
    component: lazyRouteComponent(() => import('./run-page.js'), 'RunPage'),
  }),
];
