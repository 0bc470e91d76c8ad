import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { workspaceRoute } from '../../app/workspace-route.js';
import { runListSearchOf } from './list/run-list-search.js';
import { runSearchOf } from './run-search.js';

export const runRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'runs',
    validateSearch: runListSearchOf,
    component: lazyPage(() => import('./run-list-page.js'), 'RunListPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'runs/$runId',
    validateSearch: runSearchOf,
    component: lazyPage(() => import('./run-page.js'), 'RunPage'),
  }),
];
