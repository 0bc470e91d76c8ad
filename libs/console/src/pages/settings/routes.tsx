import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { workspaceRoute } from '../../app/workspace-route.js';
import { auditFilters } from './audit/audit-filters.js';

const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings',
  component: lazyPage(() => import('./settings-frame.js'), 'SettingsFrame'),
});

export const settingsRoutes = [
  settingsRoute.addChildren([
    createRoute({
      getParentRoute: () => settingsRoute,
      path: '/',
      component: lazyPage(() => import('./general/general-page.js'), 'GeneralPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'members',
      component: lazyPage(() => import('./members/members-page.js'), 'MembersPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'teams',
      component: lazyPage(() => import('./teams/teams-page.js'), 'TeamsPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'environments',
      component: lazyPage(() => import('./environments/environments-page.js'), 'EnvironmentsPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'queues',
      component: lazyPage(() => import('./queues/queues-page.js'), 'QueuesPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'alerts',
      component: lazyPage(() => import('./alerts/alerts-page.js'), 'AlertsPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'secrets',
      component: lazyPage(() => import('./secrets/secrets-page.js'), 'SecretsPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'secrets/$name',
      component: lazyPage(() => import('./secrets/secret-page.js'), 'SecretPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'authorities',
      component: lazyPage(() => import('./authorities/authorities-page.js'), 'AuthoritiesPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'api-keys',
      component: lazyPage(() => import('./api-keys/api-keys-page.js'), 'ApiKeysPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'usage',
      component: lazyPage(() => import('./usage/usage-page.js'), 'UsagePage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'audit',
      validateSearch: auditFilters,
      component: lazyPage(() => import('./audit/audit-page.js'), 'AuditPage'),
    }),
    createRoute({
      getParentRoute: () => settingsRoute,
      path: 'extensions/$page',
      component: lazyPage(() => import('./extensions/extension-page.js'), 'ExtensionPage'),
    }),
  ]),
];
