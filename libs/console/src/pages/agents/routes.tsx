import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { workspaceRoute } from '../../app/workspace-route.js';

export const agentRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents',
    component: lazyRouteComponent(() => import('./agent-list-page.js'), 'AgentListPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'connect-agent',
    component: lazyRouteComponent(() => import('./connect/connect-agent-page.js'), 'ConnectAgentPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'agents/$agent',
    component: lazyRouteComponent(() => import('./agent-page.js'), 'AgentPage'),
  }),
];
