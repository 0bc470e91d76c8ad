import type { Alert, AlertInput, AlertMessage, Gatehouse } from '@gatehouse/client';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { idByName } from '../general/by-name.js';
import { first } from '../output/first.js';
import { type Column, printList, printOne } from '../output/print.js';
import { green } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { typedOrPiped } from '../terminal/typed-or-piped.js';
import { alertConditions } from './alert-conditions.js';

interface CreateOptions {
  on?: string[];
  script?: string;
  schedule?: string;
  slow?: string;
  slowFactor?: string;
  notSucceededFor?: string;
  channel: string;
  to?: string[];
  group?: string;
  quiet?: string;
}

const DETAILS: readonly Column<Alert>[] = [
  ['Alert', ({ id }) => id],
  ['Name', ({ name }) => name],
  ['Script', ({ script }) => script],
  ['Schedule', ({ schedule }) => schedule],
  ['On', alertConditions],
  ['To', ({ destination: { channel, host, to } }) => [channel, ...(host ? [host] : to)].join(' ')],
  ['Grouped', ({ groupSeconds }) => `${groupSeconds} s`],
  ['Quiet', ({ quietHours: quiet }) => quiet && `${quiet.from} to ${quiet.to}, ${quiet.timeZone}`],
  ['Enabled', ({ enabled }) => (enabled ? 'yes' : 'no')],
  ['Waits until', ({ deadlineAt }) => deadlineAt],
];

const MESSAGE: readonly Column<AlertMessage>[] = [
  ['id', ({ id }) => id],
  ['status', ({ status }) => status],
  ['events', ({ test, count }) => (test ? 'test' : count)],
  ['text', ({ text }) => text],
  ['attempts', ({ attempts }) => attempts],
  ['error', ({ error }) => error],
  ['made', ({ createdAt }) => createdAt],
];

/** The client, and the id of the rule that is named. */
async function named({ args, gatehouse }: Pick<Context, 'args' | 'gatehouse'>) {
  const client: Gatehouse = await gatehouse();
  const list = () => client.alerts.list();
  const naming = { word: 'alert', prefix: 'alr', list, nameOf: ({ name }: Alert) => name };
  return { alerts: client.alerts, id: await idByName(args[0]!, naming) };
}

export async function view(context: Context): Promise<void> {
  const { alerts, id } = await named(context);
  await printOne(await alerts.get(id), context.options, DETAILS);
}

/** The address is typed or piped in, never an argument: whoever has it may post there. */
export async function create({ args, options, gatehouse }: Context<CreateOptions>): Promise<void> {
  const { channel, to, on, script, schedule, notSucceededFor, group, quiet } = options;
  const client = await gatehouse();
  const url = channel === 'mail' ? '' : await typedOrPiped(`Address of ${channel}:`);
  const slow = {
    ...(options.slow !== undefined && { seconds: Number(options.slow) }),
    ...(options.slowFactor !== undefined && { factor: Number(options.slowFactor) }),
  };
  const made = await client.alerts.create({
    name: args[0]!,
    destination: { channel, ...(url !== '' && { url }), ...(to && { to }) },
    ...(on && { on: on as NonNullable<AlertInput['on']> }),
    ...(script !== undefined && { script }),
    ...(schedule !== undefined && { schedule }),
    ...(Object.keys(slow).length > 0 && { slow: { seconds: null, factor: null, ...slow } }),
    ...(notSucceededFor !== undefined && { notSucceededFor }),
    ...(group !== undefined && { groupSeconds: Number(group) }),
    ...(quiet !== undefined && { quietHours: quietHours(quiet) }),
  });
  await printOne(made, options, DETAILS);
}

const switching =
  (enabled: boolean) =>
  async (context: Context): Promise<void> => {
    const { alerts, id } = await named(context);
    const { name } = await alerts.update(id, { enabled });
    say(`${green('✓')} ${name} is ${enabled ? 'on' : 'off'}.`);
  };

export const enable = switching(true);
export const disable = switching(false);

export async function test(context: Context): Promise<void> {
  const { alerts, id } = await named(context);
  await alerts.test(id);
  say(`${green('✓')} A test is on its way. What became of it: gatehouse alerts messages ${id}`);
}

export async function messages(context: Context<{ limit: string }>): Promise<void> {
  const { alerts, id } = await named(context);
  const { options } = context;
  await printList(await first(alerts.messages(id), options.limit), options, MESSAGE);
}

export async function remove(context: Context): Promise<void> {
  const { alerts, id } = await named(context);
  await alerts.delete(id);
  say(`${green('✓')} ${context.args[0]!} is deleted.`);
}

/** `22:00-07:00 Europe/Berlin`. */
function quietHours(text: string): { from: string; to: string; timeZone: string } {
  const [, from, to, timeZone] = /^(\d\d:\d\d)-(\d\d:\d\d) (\S+)$/.exec(text) ?? [];
  if (!from || !to || !timeZone)
    throw new WrongUse(`"${text}" are no quiet hours.`, "For example: --quiet '22:00-07:00 Europe/Berlin'");
  return { from, to, timeZone };
}
