import type { Alert, AlertInput, AlertMessage, AlertPatch, Gatehouse } from '@gatehouse/client';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { idByName } from '../general/by-name.js';
import { first } from '../output/first.js';
import { type Column, printList, printOne } from '../output/print.js';
import { green } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { typedOrPiped } from '../terminal/typed-or-piped.js';
import { alertConditions } from './alert-conditions.js';

interface SettingOptions {
  on?: string[];
  slow?: string;
  slowFactor?: string;
  notSucceededFor?: string;
  channel?: string;
  to?: string[];
  group?: string;
  quiet?: string;
}

interface CreateOptions extends SettingOptions {
  script?: string;
  schedule?: string;
  channel: string;
}

/** `none` takes away what may be left out. */
interface UpdateOptions extends SettingOptions {
  name?: string;
}

const NONE = 'none';
/** Where nothing else is said. */
const GROUPED_SECONDS = 300;

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
  const { channel, to, script, schedule } = options;
  const client = await gatehouse();
  const made = await client.alerts.create({
    name: args[0]!,
    destination: await destination(channel, to),
    ...settings(options, { seconds: null, factor: null }),
    ...(script !== undefined && { script }),
    ...(schedule !== undefined && { schedule }),
  });
  await printOne(made, options, DETAILS);
}

/** Where a channel is named, its address is typed or piped in; otherwise messages go where they went. */
export async function update(context: Context<UpdateOptions>): Promise<void> {
  const { alerts, id } = await named(context);
  const { options } = context;
  const { channel, to, name } = options;
  if (to && channel !== 'mail') throw new WrongUse('Members get mail: --to takes --channel mail.');
  const { slow } = await alerts.get(id);
  const patch: AlertPatch = {
    ...settings(options, slow ?? { seconds: null, factor: null }),
    ...(name !== undefined && { name }),
    ...(channel !== undefined && { destination: await destination(channel, to) }),
  };
  if (Object.keys(patch).length === 0) throw new WrongUse('Nothing was named that is to change.');
  await printOne(await alerts.update(id, patch), options, DETAILS);
}

async function destination(channel: string, to: string[] | undefined): Promise<AlertInput['destination']> {
  const url = channel === 'mail' ? '' : await typedOrPiped(`Address of ${channel}:`);
  return { channel, ...(url !== '' && { url }), ...(to && { to }) };
}

/** @param slow what it was before */
function settings(
  options: SettingOptions,
  slow: NonNullable<Alert['slow']>,
): Omit<AlertPatch, 'destination'> {
  const { on, notSucceededFor, group, quiet } = options;
  const slower = {
    ...slow,
    ...(options.slow !== undefined && { seconds: numberOrNone(options.slow) }),
    ...(options.slowFactor !== undefined && { factor: numberOrNone(options.slowFactor) }),
  };
  const isNamed = options.slow !== undefined || options.slowFactor !== undefined;
  const isSlow = slower.seconds !== null || slower.factor !== null;
  return {
    ...(on && { on: on.filter((one) => one !== NONE) as NonNullable<AlertInput['on']> }),
    ...(isNamed && { slow: isSlow ? slower : null }),
    ...(notSucceededFor !== undefined && {
      notSucceededFor: notSucceededFor === NONE ? null : notSucceededFor,
    }),
    ...(group !== undefined && { groupSeconds: numberOrNone(group) ?? GROUPED_SECONDS }),
    ...(quiet !== undefined && { quietHours: quiet === NONE ? null : quietHours(quiet) }),
  };
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

function numberOrNone(text: string): number | null {
  if (text === NONE) return null;
  const given = Number(text);
  if (text.trim() === '' || Number.isNaN(given))
    throw new WrongUse(`"${text}" is not a number.`, 'For example: --slow 60');
  return given;
}

/** `22:00-07:00 Europe/Berlin`. */
function quietHours(text: string): { from: string; to: string; timeZone: string } {
  const [, from, to, timeZone] = /^(\d\d:\d\d)-(\d\d:\d\d) (\S+)$/.exec(text) ?? [];
  if (!from || !to || !timeZone)
    throw new WrongUse(`"${text}" are no quiet hours.`, "For example: --quiet '22:00-07:00 Europe/Berlin'");
  return { from, to, timeZone };
}
