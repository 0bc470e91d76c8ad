import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { workspaceRoute } from '../../app/workspace-route.js';

export const scriptRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'scripts',
    component: lazyRouteComponent(() => import('./script-list-page.js'), 'ScriptListPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'scripts/new',
    component: lazyRouteComponent(() => import('./new/new-script-page.js'), 'NewScriptPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'scripts/$slug/edit',
    component: lazyRouteComponent(() => import('./new/edit-script-page.js'), 'EditScriptPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'scripts/$slug',
    component: lazyRouteComponent(() => import('./script-page.js'), 'ScriptPage'),
  }),
];
