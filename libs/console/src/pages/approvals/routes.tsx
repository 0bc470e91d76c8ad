import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { rootRoute } from '../../app/root-route.js';
import { workspaceRoute } from '../../app/workspace-route.js';

export const approvalRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'approvals',
    component: lazyRouteComponent(() => import('./inbox-page.js'), 'InboxPage'),
  }),
];

/** The addresses that mails and responses carry: they name no workspace. */
export const decisionRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'approvals',
    component: lazyRouteComponent(() => import('./any-inbox-page.js'), 'AnyInboxPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'approvals/$requestId',
    component: lazyRouteComponent(() => import('./decision-page.js'), 'DecisionPage'),
  }),
];
