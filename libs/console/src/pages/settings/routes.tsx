import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { workspaceRoute } from '../../app/workspace-route.js';
import { auditFilters } from './audit/audit-filters.js';

const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./settings-frame.js'), 'SettingsFrame'),
});

export const settingsRoutes = [
  settingsRoute.addChildren([
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/',
      component: lazyRouteComponent(() => import('./general/general-page.js'), 'GeneralPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'members',
      component: lazyRouteComponent(() => import('./members/members-page.js'), 'MembersPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'teams',
      component: lazyRouteComponent(() => import('./teams/teams-page.js'), 'TeamsPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'environments',
      component: lazyRouteComponent(() => import('./environments/environments-page.js'), 'EnvironmentsPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'secrets',
      component: lazyRouteComponent(() => import('./secrets/secrets-page.js'), 'SecretsPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'secrets/$name',
      component: lazyRouteComponent(() => import('./secrets/secret-page.js'), 'SecretPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'api-keys',
      component: lazyRouteComponent(() => import('./api-keys/api-keys-page.js'), 'ApiKeysPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'usage',
      component: lazyRouteComponent(() => import('./usage/usage-page.js'), 'UsagePage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'audit',
      validateSearch: auditFilters,
      component: lazyRouteComponent(() => import('./audit/audit-page.js'), 'AuditPage'),
    }),
  ]),
];
