import { createRoute, redirect } from '@tanstack/react-router';

import { loadSession } from '../../api/session.js';
import { lazyPage } from '../../app/lazy-page.js';
import { workspaceRoute } from '../../app/workspace-route.js';

export const homeRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/',
    // Guests have their scripts.
    beforeLoad: async ({ params }) => {
      const user = await loadSession();
      const role = user?.workspaces.find(({ slug }) => slug === params.workspace)?.role;
      if (role === 'guest') throw redirect({ to: '/w/$workspace/$environment/scripts', params });
    },
    component: lazyPage(() => import('./home-page.js'), 'HomePage'),
  }),
];
