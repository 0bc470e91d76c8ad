import type { Schedule } from '@gatehouse/client';

import { stringifyJson } from '../output/json.js';
import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { type FieldOptions, givenFields } from '../general/given-fields.js';
import { type Column, printOne } from '../output/print.js';
import { deleting, pausing, resuming, scheduleId } from './automation.js';
import { enabledText } from './enabled-text.js';

interface CreateOptions extends FieldOptions {
  cron?: string;
  name?: string;
  timezone?: string;
}

const COLUMNS: readonly Column<Schedule>[] = [
  ['Schedule', ({ id }) => id],
  ['Name', ({ name }) => name],
  ['Script', ({ script }) => script.slug],
  ['Cron', ({ cron }) => cron],
  ['Time zone', ({ timezone }) => timezone],
  ['Environment', ({ environment }) => environment],
  ['Enabled', enabledText],
  ['Inputs', ({ inputs }) => stringifyJson(inputs)],
  ['Next', ({ nextRunAt }) => nextRunAt],
  ['Last', ({ lastRunAt, lastRunId }) => lastRunAt && `${lastRunAt}: gatehouse runs view ${lastRunId}`],
];

export async function view({ args, options, gatehouse }: Context): Promise<void> {
  const client = await gatehouse();
  await printOne(await client.schedules.get(await scheduleId(client, args[0]!)), options, COLUMNS);
}

export async function create({ args, options, gatehouse }: Context<CreateOptions>): Promise<void> {
  const [script = ''] = args;
  const { cron, name, timezone } = options;
  if (cron === undefined) {
    throw new WrongUse('When?', `Run: gatehouse schedules create ${script} --cron '0 3 * * *'`);
  }
  const made = await (
    await gatehouse()
  ).schedules.create(script, {
    name: name ?? cron,
    cron,
    ...(timezone !== undefined && { timezone }),
    inputs: givenFields(options),
  });
  await printOne(made, options, COLUMNS);
}

export const pause = pausing('schedules');
export const resume = resuming('schedules');
export const remove = deleting('schedules');
