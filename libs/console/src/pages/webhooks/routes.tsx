import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { workspaceRoute } from '../../app/workspace-route.js';

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'webhooks',
    component: lazyRouteComponent(() => import('./endpoint-list-page.js'), 'EndpointListPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'webhooks/event-types',
    component: lazyRouteComponent(() => import('./event-types-page.js'), 'EventTypesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'webhooks/$endpointId',
    component: lazyRouteComponent(() => import('./endpoint-page.js'), 'EndpointPage'),
  }),
];
