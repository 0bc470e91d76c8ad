import type { QueueDetail, QueuePatch } from '@gatehouse/client';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { type Column, printOne } from '../output/print.js';
import { green } from '../terminal/colours.js';
import { say } from '../terminal/say.js';

interface LimitOptions {
  limit?: string;
}

const DETAILS: readonly Column<QueueDetail>[] = [
  ['Queue', ({ name }) => name],
  ['Limit', ({ limit }) => limit ?? 'none'],
  ['Paused', ({ paused }) => (paused ? 'yes' : 'no')],
  ['Going', ({ going }) => going],
  ['Waiting', ({ waiting }) => waiting],
  ['Scripts', ({ scripts }) => scripts.map(({ slug }) => slug).join(', ')],
];

export async function view({ args, options, gatehouse }: Context): Promise<void> {
  await printOne(await (await gatehouse()).queues.get(args[0]!), options, DETAILS);
}

export async function create({
  args,
  options,
  gatehouse,
}: Context<LimitOptions & { paused?: true }>): Promise<void> {
  const input = { name: args[0]!, ...limitOf(options), paused: options.paused === true };
  await printOne(await (await gatehouse()).queues.create(input), options, DETAILS);
}

export async function update({ args, options, gatehouse }: Context<LimitOptions>): Promise<void> {
  if (options.limit === undefined)
    throw new WrongUse('What is to change?', `See: gatehouse queues update --help`);
  await printOne(await (await gatehouse()).queues.update(args[0]!, limitOf(options)), options, DETAILS);
}

export async function pause({ args, options, gatehouse }: Context): Promise<void> {
  await printOne(await (await gatehouse()).queues.update(args[0]!, { paused: true }), options, DETAILS);
}

export async function resume({ args, options, gatehouse }: Context): Promise<void> {
  await printOne(await (await gatehouse()).queues.update(args[0]!, { paused: false }), options, DETAILS);
}

export async function remove({ args, gatehouse }: Context): Promise<void> {
  await (await gatehouse()).queues.delete(args[0]!);
  say(`${green('✓')} ${args[0]!} is deleted.`);
}

function limitOf({ limit }: LimitOptions): QueuePatch {
  if (limit === undefined) return {};
  if (limit === 'none') return { limit: null };
  if (/^[0-9]{1,4}$/.test(limit)) return { limit: Number(limit) };
  throw new WrongUse(`"${limit}" is no limit.`, 'It is a number from 1 to 1000, or none.');
}
