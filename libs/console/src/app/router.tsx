import { createRoute, createRouter, redirect } from '@tanstack/react-router';

import { basePath } from '../api/base.js';
import { loadSession } from '../api/session.js';
import { NotFoundPage } from '../kit/not-found-page.js';
import { ProblemPage } from '../kit/problem-page.js';
import { accountRoutes } from '../pages/account/routes.js';
import { agentRoutes } from '../pages/agents/routes.js';
import { approvalRoutes, decisionRoutes } from '../pages/approvals/routes.js';
import { connectRoutes } from '../pages/connect/routes.js';
import { designRoutes } from '../pages/design/routes.js';
import { entryRoutes } from '../pages/entry/routes.js';
import { errorRoutes } from '../pages/errors/routes.js';
import { fileRoutes } from '../pages/files/routes.js';
import { homeRoutes } from '../pages/home/routes.js';
import { insightsRoutes } from '../pages/insights/routes.js';
import { runRoutes } from '../pages/runs/routes.js';
import { scriptRoutes } from '../pages/scripts/routes.js';
import { settingsRoutes } from '../pages/settings/routes.js';
import { webhookRoutes } from '../pages/webhooks/routes.js';
import { homePlace } from './places.js';
import { rootRoute } from './root-route.js';
import { workspaceRoute } from './workspace-route.js';

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async () => {
    const user = await loadSession();
    if (!user) throw redirect({ to: '/sign-in' });
    const place = homePlace(user);
    if (!place) throw redirect({ to: '/welcome' });
    throw redirect({ to: '/w/$workspace/$environment', params: place });
  },
});

const routeTree = rootRoute.addChildren([
  homeRoute,
  ...entryRoutes,
  ...decisionRoutes,
  ...accountRoutes,
  ...connectRoutes,
  ...(import.meta.env.DEV ? designRoutes : []),
  workspaceRoute.addChildren([
    ...homeRoutes,
    ...scriptRoutes,
    ...runRoutes,
    ...errorRoutes,
    ...insightsRoutes,
    ...approvalRoutes,
    ...agentRoutes,
    ...fileRoutes,
    ...webhookRoutes,
    ...settingsRoutes,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: basePath || '/',
  defaultPreload: 'intent',
  // What a page reads is TanStack Query's to keep.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  // Nothing is shown for what takes less.
  defaultPendingMs: 200,
  defaultErrorComponent: ({ error, reset }) => <ProblemPage error={error} retry={reset} />,
  defaultNotFoundComponent: NotFoundPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
