import type { ScriptDetail } from '@gatehouse/client';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { EXIT } from '../failure/exit-codes.js';
import { first } from '../output/first.js';
import { type Column, printList, printOne } from '../output/print.js';
import { green, yellow } from '../terminal/colours.js';
import { say } from '../terminal/say.js';

const COLUMNS: readonly Column<ScriptDetail>[] = [
  ['Script', ({ slug }) => slug],
  ['Name', ({ name }) => name],
  ['Description', ({ description }) => description || null],
  ['Status', ({ status }) => status],
  ['Version', ({ publishedVersion }) => publishedVersion],
  ['Access', ({ access }) => access],
  ['Approval', ({ approvalPolicy }) => approvalPolicy],
  ['Tags', ({ tags }) => tags.join(', ') || null],
  ['Runs', ({ stats }) => `${stats.runs30d} in 30 days`],
  ['Schedules', ({ usedBy }) => usedBy.schedules.map(({ name, id }) => `${name} (${id})`).join(', ') || null],
  ['Hooks', ({ usedBy }) => usedBy.hooks.map(({ name, id }) => `${name} (${id})`).join(', ') || null],
  ['Triggers', ({ usedBy }) => usedBy.triggers.map(({ name, id }) => `${name} (${id})`).join(', ') || null],
];

export async function view({ args, options, gatehouse }: Context): Promise<void> {
  await printOne(await (await gatehouse()).scripts.get(args[0]!), options, COLUMNS);
}

export async function versions({ args, options, gatehouse }: Context<{ limit: string }>): Promise<void> {
  const list = (await gatehouse()).versions.list(args[0]!);
  await printList(await first(list, options.limit), options, [
    ['version', ({ number }) => number],
    ['published', ({ published }) => (published ? 'yes' : '')],
    ['made', ({ createdAt }) => createdAt],
    ['through', ({ createdVia }) => createdVia],
    ['bytes', ({ archiveBytes }) => archiveBytes],
    ['command', ({ command }) => command],
  ]);
}

/** The newest version, or the one that is named, which is how one goes back. */
export async function publish({ args, options, gatehouse }: Context<{ version?: string }>): Promise<number> {
  const client = await gatehouse();
  const [slug = ''] = args;
  const newest =
    options.version === undefined ? (await client.versions.list(slug, { limit: 1 })).items[0] : null;
  if (newest === undefined) throw new WrongUse(`${slug} has no version yet.`, 'Make one: gatehouse push');
  const number = newest?.number ?? Number(options.version);
  if (!Number.isInteger(number)) throw new WrongUse(`"${options.version}" is no version.`);
  const result = await client.scripts.publish(slug, number);
  if ('approval' in result) {
    say(`${yellow('held:')} a second person has to agree at ${result.approval.approveUrl}`);
    return EXIT.held;
  }
  say(`${green('✓')} Version ${number} of ${slug} is published.`);
  return EXIT.done;
}

export async function unpublish({ args, gatehouse }: Context): Promise<void> {
  const { slug, status } = await (await gatehouse()).scripts.unpublish(args[0]!);
  say(`${green('✓')} ${slug} is a ${status} again.`);
}

export async function archive({ args, gatehouse }: Context): Promise<void> {
  await (await gatehouse()).scripts.archive(args[0]!);
  say(`${green('✓')} ${args[0]} is archived. Bring it back: gatehouse scripts restore ${args[0]}`);
}

export async function restore({ args, gatehouse }: Context): Promise<void> {
  const { slug, status } = await (await gatehouse()).scripts.restore(args[0]!);
  say(`${green('✓')} ${slug} is a ${status} again.`);
}
