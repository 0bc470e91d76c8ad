import { WrongUse } from '../failure/command-failure.js';
import type { Settings } from '../settings/settings.js';

/** Stands in addresses for the workspace's default environment, whatever its name. */
const DEFAULT_ENVIRONMENT = '-';

/** Which page shows what an id begins with. All else is a script's slug. */
const OF_IDS: Readonly<Record<string, (id: string) => string>> = {
  run: (id) => `/runs/${id}`,
  err: (id) => `/errors/${id}`,
  whe: (id) => `/webhooks/${id}`,
  agt: (id) => `/agents/${id}`,
};

/** The app's pages by the names of the commands. */
export const PAGES: Readonly<Record<string, string>> = {
  runs: '/runs',
  errors: '/errors',
  scripts: '/scripts',
  files: '/files',
  approvals: '/approvals',
  agents: '/agents',
  webhooks: '/webhooks',
  settings: '/settings',
  members: '/settings/members',
  teams: '/settings/teams',
  env: '/settings/environments',
  authorities: '/settings/authorities',
  alerts: '/settings/alerts',
  queues: '/settings/queues',
  secrets: '/settings/secrets',
  keys: '/settings/api-keys',
  usage: '/settings/usage',
  audit: '/settings/audit',
};

/** Those of a person, wherever they act. */
const OF_ACCOUNT: Readonly<Record<string, string>> = {
  tokens: '/account',
  'new-token': '/account/tokens/new',
};

/** The address of the page that shows something; without it, of the workspace. */
export function pageAddress(
  { url, workspace, environment }: Pick<Settings, 'url' | 'workspace' | 'environment'>,
  thing?: string,
): string {
  if (thing?.startsWith('apr_')) return `${url}/approvals/${encodeURIComponent(thing)}`;
  if (thing !== undefined && Object.hasOwn(OF_ACCOUNT, thing)) return `${url}${OF_ACCOUNT[thing]}`;
  if (workspace === null) throw new WrongUse('Of which workspace?', 'Add --workspace with its slug.');
  const place = [workspace, environment ?? DEFAULT_ENVIRONMENT].map(encodeURIComponent).join('/');
  return `${url}/w/${place}${thing === undefined ? '' : pathOf(thing)}`;
}

function pathOf(thing: string): string {
  if (Object.hasOwn(PAGES, thing)) return PAGES[thing]!;
  const [prefix = ''] = thing.split('_');
  if (thing.includes('_') && Object.hasOwn(OF_IDS, prefix)) return OF_IDS[prefix]!(encodeURIComponent(thing));
  return `/scripts/${encodeURIComponent(thing)}`;
}
