import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { workspaceRoute } from '../../app/workspace-route.js';
import { pagesOf } from '../../kit/use-pages.js';
import { insightsSearchOf } from '../insights/insights-search.js';
import { scriptSearchOf, scriptsQuery } from './list/script-search.js';
import { schedulesSearchOf } from './schedules/schedule-views.js';
import { versionSearchOf } from './versions/version-search.js';

const scriptRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'scripts/$slug',
  component: lazyPage(() => import('./script-frame.js'), 'ScriptFrame'),
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
    component: lazyPage(() => import('./list/script-list-page.js'), 'ScriptListPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'schedules',
    validateSearch: schedulesSearchOf,
    component: lazyPage(() => import('./schedules/schedules-page.js'), 'SchedulesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'scripts/new',
    validateSearch: ({ template }: Record<string, unknown>): { template?: string } =>
      typeof template === 'string' ? { template } : {},
    loader: loadEditor,
    component: lazyPage(() => import('./new/new-script-page.js'), 'NewScriptPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'scripts/$slug/edit',
    validateSearch: ({ version }: Record<string, unknown>): { version?: number } =>
      Number.isInteger(version) && Number(version) > 0 ? { version: Number(version) } : {},
    loader: loadEditor,
    component: lazyPage(() => import('./new/edit-script-page.js'), 'EditScriptPage'),
  }),
  scriptRoute.addChildren([
    createRoute({
      getParentRoute: () => scriptRoute,
      path: '/',
      component: lazyPage(() => import('./run/run-tab.js'), 'RunTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'runs',
      component: lazyPage(() => import('./runs/runs-tab.js'), 'RunsTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'versions',
      component: lazyPage(() => import('./versions/versions-tab.js'), 'VersionsTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'versions/$number',
      validateSearch: versionSearchOf,
      component: lazyPage(() => import('./versions/version-tab.js'), 'VersionTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'schedules',
      component: lazyPage(() => import('./schedules/schedules-tab.js'), 'SchedulesTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'schedules/new',
      component: lazyPage(() => import('./schedules/new-schedule-tab.js'), 'NewScheduleTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'schedules/$scheduleId',
      component: lazyPage(() => import('./schedules/schedule-tab.js'), 'ScheduleTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'triggers',
      component: lazyPage(() => import('./triggers/triggers-tab.js'), 'TriggersTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'triggers/new',
      component: lazyPage(() => import('./triggers/new-trigger-tab.js'), 'NewTriggerTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'triggers/$triggerId',
      component: lazyPage(() => import('./triggers/trigger-tab.js'), 'TriggerTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'hooks',
      component: lazyPage(() => import('./hooks/hooks-tab.js'), 'HooksTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'hooks/new',
      component: lazyPage(() => import('./hooks/new-hook-tab.js'), 'NewHookTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'hooks/$hookId',
      component: lazyPage(() => import('./hooks/hook-tab.js'), 'HookTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'insights',
      validateSearch: insightsSearchOf,
      component: lazyPage(() => import('./insights/insights-tab.js'), 'InsightsTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'usage',
      component: lazyPage(() => import('./usage/usage-tab.js'), 'UsageTab'),
    }),
    createRoute({
      getParentRoute: () => scriptRoute,
      path: 'settings',
      component: lazyPage(() => import('./settings/settings-tab.js'), 'SettingsTab'),
    }),
  ]),
];

/** Begins to load the editor beside the page, which shows it once it has read what there is to edit. */
function loadEditor(): void {
  import('../../kit/code/mirror-editor.js').catch(() => undefined);
}
