import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { workspaceRoute } from '../../app/workspace-route.js';
import { deliverySearchOf } from './deliveries/delivery-search.js';

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'webhooks',
    component: lazyPage(() => import('./endpoint-list-page.js'), 'EndpointListPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'webhooks/event-types',
    component: lazyPage(() => import('./event-types-page.js'), 'EventTypesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'webhooks/$endpointId',
    validateSearch: deliverySearchOf,
    component: lazyPage(() => import('./endpoint-page.js'), 'EndpointPage'),
  }),
];
