import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { openInBrowser } from '../terminal/open-in-browser.js';
import { say } from '../terminal/interactive.js';

/** Stands in addresses for the workspace's default environment, whatever its name. */
const DEFAULT_ENVIRONMENT = '-';
/** Which page shows what an id begins with. All else is a script's slug. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  run: (id) => `runs/${id}`,
  sch: (id) => `schedules/${id}`,
  trg: (id) => `triggers/${id}`,
  whe: (id) => `webhooks/${id}`,
  agt: (id) => `agents/${id}`,
};
const LISTS = [
  'runs',
  'scripts',
  'files',
  'schedules',
  'triggers',
  'approvals',
  'secrets',
  'members',
  'audit',
];

export default async function open({ args, options, settings }: Context<{ print?: true }>): Promise<void> {
  const { url, workspace, environment } = await settings();
  const [thing] = args;
  if (workspace === null) throw new WrongUse('Of which workspace?', 'Add --workspace with its slug.');
  const frame = `${url}/w/${encodeURIComponent(workspace)}/${encodeURIComponent(environment ?? DEFAULT_ENVIRONMENT)}`;
  const address = pageOf(thing, url, frame);
  if (options.print || !(await openInBrowser(address))) console.log(address);
  else say(`Opening ${address}`);
}

function pageOf(thing: string | undefined, url: string, frame: string): string {
  if (thing === undefined) return frame;
  if (thing.startsWith('apr_')) return `${url}/approvals/${encodeURIComponent(thing)}`;
  if (LISTS.includes(thing)) return `${frame}/${thing}`;
  const page = PAGES[thing.split('_')[0]!];
  if (thing.includes('_') && page) return `${frame}/${page(encodeURIComponent(thing))}`;
  return `${frame}/scripts/${encodeURIComponent(thing)}`;
}
