import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { workspaceRoute } from '../../app/workspace-route.js';
import { pagesOf } from '../../kit/use-pages.js';
import { scriptSearchOf, scriptsQuery } from './list/script-search.js';
import { versionSearchOf } from './versions/version-search.js';

const scriptRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'scripts/$slug',
  component: lazyRouteComponent(() => import('./script-frame.js'), 'ScriptFrame'),
});

export const scriptRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'scripts',
    validateSearch: scriptSearchOf,
    loaderDeps: ({ search }) => search,
    // Asked for beside the code of the page, not after it.
    loader: ({ context: { queries }, deps }) => {
      void queries?.prefetchInfiniteQuery(pagesOf(scriptsQuery(deps)));
    },
    component: lazyRouteComponent(() => import('./list/script-list-page.js'), 'ScriptListPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'scripts/new',
    validateSearch: ({ template }: Record<string, unknown>): { template?: string } =>
      typeof template === 'string' ? { template } : {},
    component: lazyRouteComponent(() => import('./new/new-script-page.js'), 'NewScriptPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'scripts/$slug/edit',
    component: lazyRouteComponent(() => import('./new/edit-script-page.js'), 'EditScriptPage'),
  }),
  scriptRoute.addChildren([
    createRoute({
      getParentRoute: () => scriptRoute,
      path: '/',
      component: lazyRouteComponent(() => import('./run/run-tab.js'), 'RunTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'versions',
      component: lazyRouteComponent(() => import('./versions/versions-tab.js'), 'VersionsTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'versions/$number',
      validateSearch: versionSearchOf,
      component: lazyRouteComponent(() => import('./versions/version-tab.js'), 'VersionTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'schedules',
      component: lazyRouteComponent(() => import('./schedules/schedules-tab.js'), 'SchedulesTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'schedules/new',
      component: lazyRouteComponent(() => import('./schedules/new-schedule-tab.js'), 'NewScheduleTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'schedules/$scheduleId',
      component: lazyRouteComponent(() => import('./schedules/schedule-tab.js'), 'ScheduleTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'triggers',
      component: lazyRouteComponent(() => import('./triggers/triggers-tab.js'), 'TriggersTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'triggers/new',
      component: lazyRouteComponent(() => import('./triggers/new-trigger-tab.js'), 'NewTriggerTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'triggers/$triggerId',
      component: lazyRouteComponent(() => import('./triggers/trigger-tab.js'), 'TriggerTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'usage',
      component: lazyRouteComponent(() => import('./usage/usage-tab.js'), 'UsageTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'settings',
      component: lazyRouteComponent(() => import('./settings/settings-tab.js'), 'SettingsTab'),
    }),
  ]),
];
