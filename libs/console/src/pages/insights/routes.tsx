import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { workspaceRoute } from '../../app/workspace-route.js';
import { insightsSearchOf } from './insights-search.js';

export const insightsRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'insights',
    validateSearch: insightsSearchOf,
    component: lazyPage(() => import('./insights-page.js'), 'InsightsPage'),
  }),
];
