import type { Trigger } from '@gatehouse/client';

import { stringifyJson } from '../output/json.js';
import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { type FieldOptions, givenFields, jsonOrText } from '../general/given-fields.js';
import { type Column, printOne } from '../output/print.js';
import { deleting, pausing, resuming, triggerId } from './automation.js';
import { enabledText } from './enabled-text.js';

interface CreateOptions extends FieldOptions {
  event?: string;
  name?: string;
  filter?: string[];
}

const COLUMNS: readonly Column<Trigger>[] = [
  ['Trigger', ({ id }) => id],
  ['Name', ({ name }) => name],
  ['Script', ({ script }) => script.slug],
  ['Event', ({ eventType }) => eventType],
  ['Filter', ({ filter }) => (Object.keys(filter).length > 0 ? stringifyJson(filter) : null)],
  ['Environment', ({ environment }) => environment],
  ['Enabled', enabledText],
  ['Inputs', ({ inputs }) => stringifyJson(inputs)],
  ['Last', ({ lastFiredAt }) => lastFiredAt],
];

export async function view({ args, options, gatehouse }: Context): Promise<void> {
  const client = await gatehouse();
  await printOne(await client.triggers.get(await triggerId(client, args[0]!)), options, COLUMNS);
}

export async function create({ args, options, gatehouse }: Context<CreateOptions>): Promise<void> {
  const [script = ''] = args;
  const { event, name, filter } = options;
  if (event === undefined) {
    throw new WrongUse('At which event?', `Run: gatehouse triggers create ${script} --event run.failed`);
  }
  const made = await (
    await gatehouse()
  ).triggers.create(script, {
    name: name ?? event,
    eventType: event,
    filter: jsonOrText(filter),
    inputs: givenFields(options),
  });
  await printOne(made, options, COLUMNS);
}

export const pause = pausing('triggers');
export const resume = resuming('triggers');
export const remove = deleting('triggers');
