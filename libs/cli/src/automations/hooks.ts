import type { HeldRun, Hook, HookInput, HookReceipt, HookReceiptDetail, NewHook } from '@gatehouse/client';

import { stringifyJson } from '../output/json.js';
import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { type FieldOptions, givenFields, jsonOrText } from '../general/given-fields.js';
import { first } from '../output/first.js';
import { wantsJson } from '../output/fields.js';
import { type Column, printList, printOne } from '../output/print.js';
import { yellow } from '../terminal/colours.js';
import { plainText } from '../terminal/plain-text.js';
import { say } from '../terminal/say.js';
import { deleting, hookId, pausing, resuming } from './automation.js';
import { enabledText } from './enabled-text.js';

interface CreateOptions extends FieldOptions {
  verify?: string;
  secret?: string;
  with?: string[];
  name?: string;
  filter?: string[];
  keep?: string[];
  respond?: boolean;
}

const COLUMNS: readonly Column<Hook & Partial<NewHook>>[] = [
  ['Hook', ({ id }) => id],
  ['Name', ({ name }) => name],
  ['Script', ({ script }) => script.slug],
  ['Address', ({ url }) => url ?? null],
  ['Verified', ({ verify }) => verify.scheme],
  ['Filter', ({ filter }) => (Object.keys(filter).length > 0 ? stringifyJson(filter) : null)],
  ['Environment', ({ environment }) => environment],
  ['Responds', ({ respond }) => (respond ? 'with the output' : null)],
  ['Enabled', enabledText],
  ['Inputs', ({ inputs }) => stringifyJson(inputs)],
  ['Last', ({ lastReceivedAt }) => lastReceivedAt],
];

const RECEIPTS: readonly Column<HookReceipt>[] = [
  ['id', ({ id }) => id],
  ['verdict', ({ verdict }) => verdict],
  ['run', ({ runId }) => runId],
  ['reason', ({ reason }) => reason],
  ['received', ({ receivedAt }) => receivedAt],
];

const RECEIPT: readonly Column<HookReceiptDetail>[] = [
  ['Receipt', ({ id }) => id],
  ['Verdict', ({ verdict }) => verdict],
  ['Reason', ({ reason }) => reason],
  ['Run', ({ runId }) => runId],
  ["Sender's id", ({ providerId }) => providerId],
  ['Received', ({ receivedAt }) => receivedAt],
  ['Headers', ({ headers }) => stringifyJson(headers)],
  ['Query', ({ query }) => (Object.keys(query).length > 0 ? stringifyJson(query) : null)],
  ['Bytes', ({ bytes }) => bytes],
  ['Encoding', ({ bodyEncoding }) => (bodyEncoding === 'base64' ? bodyEncoding : null)],
];

const REPLAYED: readonly Column<HeldRun>[] = [
  ['Run', ({ id }) => id],
  ['Status', ({ status }) => status],
  ['Version', ({ version }) => version],
];

export async function view({ args, options, gatehouse }: Context): Promise<void> {
  const client = await gatehouse();
  await printOne(await client.hooks.get(await hookId(client, args[0]!)), options, COLUMNS);
}

/** Its address is shown this once. */
export async function create({ args, options, gatehouse }: Context<CreateOptions>): Promise<void> {
  const [script = ''] = args;
  const { verify: scheme, secret, name, filter, keep = [], respond } = options;
  if (scheme === undefined) {
    const command = `gatehouse hooks create ${script} --verify github --secret GITHUB_WEBHOOK_SECRET`;
    throw new WrongUse('Who sends?', `Run: ${command}`);
  }
  const verify = { scheme, ...(secret !== undefined && { secret }), ...jsonOrText(options.with) };
  const made = await (
    await gatehouse()
  ).hooks.create(script, {
    name: name ?? scheme,
    verify: verify as HookInput['verify'],
    headers: keep,
    filter: jsonOrText(filter),
    inputs: givenFields(options),
    respond: respond ?? false,
  });
  await printOne(made, options, COLUMNS);
  if (made.warning) say(`${yellow('warning:')} ${made.warning}`);
}

export async function rotate({ args, options, gatehouse }: Context): Promise<void> {
  const client = await gatehouse();
  await printOne(await client.hooks.rotate(await hookId(client, args[0]!)), options, COLUMNS);
}

export async function receipts({ args, options, gatehouse }: Context<{ limit: string }>): Promise<void> {
  const client = await gatehouse();
  const items = await first(client.hooks.receipts(await hookId(client, args[0]!)), options.limit);
  await printList(items, options, RECEIPTS);
}

/** Its body comes last, after an empty line. */
export async function receipt({ args, options, gatehouse }: Context): Promise<void> {
  const [hook = '', id = ''] = args;
  const client = await gatehouse();
  const shown = await client.hooks.receipt(await hookId(client, hook), id);
  await printOne(shown, options, RECEIPT);
  if (!wantsJson(options) && shown.body !== null) console.log(`\n${plainText(shown.body)}`);
}

export async function replay({ args, options, gatehouse }: Context<{ at?: string }>): Promise<void> {
  const [hook = '', receipt = ''] = args;
  const client = await gatehouse();
  const version = options.at === undefined ? {} : { version: Number(options.at) };
  const run = await client.hooks.replay(await hookId(client, hook), receipt, version);
  await printOne(run, options, REPLAYED);
}

export const pause = pausing('hooks');
export const resume = resuming('hooks');
export const remove = deleting('hooks');
