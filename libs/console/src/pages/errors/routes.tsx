import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { workspaceRoute } from '../../app/workspace-route.js';
import { errorListSearchOf } from './error-list-search.js';

export const errorRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'errors',
    validateSearch: errorListSearchOf,
    component: lazyPage(() => import('./error-list-page.js'), 'ErrorListPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'errors/$errorId',
    component: lazyPage(() => import('./error-page.js'), 'ErrorPage'),
  }),
];
