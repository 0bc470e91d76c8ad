import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { workspaceRoute } from '../../app/workspace-route.js';

export const fileRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'files',
    component: lazyRouteComponent(() => import('./file-list-page.js'), 'FileListPage'),
  }),
];
