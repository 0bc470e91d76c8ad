import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { workspaceRoute } from '../../app/workspace-route.js';

export const fileRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'files',
    component: lazyPage(() => import('./file-list-page.js'), 'FileListPage'),
  }),
];
