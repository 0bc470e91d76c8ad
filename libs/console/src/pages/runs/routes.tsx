import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { workspaceRoute } from '../../app/workspace-route.js';
import { runListSearchOf } from './list/run-list-search.js';
import { runSearchOf } from './run-search.js';

export const runRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'runs',
    validateSearch: runListSearchOf,
    component: lazyRouteComponent(() => import('./run-list-page.js'), 'RunListPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'runs/$runId',
    validateSearch: runSearchOf,
    component: lazyRouteComponent(() => import('./run-page.js'), 'RunPage'),
  }),
];
