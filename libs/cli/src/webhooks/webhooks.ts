import type {
  Gatehouse,
  WebhookDeliveryOutcome,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointCreated,
} from '@gatehouse/client';

import type { Context } from '../context.js';
import { CommandFailure } from '../failure/command-failure.js';
import { idByName } from '../general/by-name.js';
import { momentOf } from '../general/moment.js';
import { wantsJson } from '../output/fields.js';
import { first } from '../output/first.js';
import { type Column, printAsJson, printList, printOne } from '../output/print.js';
import { green } from '../terminal/colours.js';
import { type DeletionOptions, confirmDeletion } from '../terminal/confirm-deletion.js';
import { plainText } from '../terminal/plain-text.js';
import { say } from '../terminal/say.js';

interface CreateOptions {
  event?: string[];
  description?: string;
}

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  ['Endpoint', ({ id }) => id],
  ['Address', ({ url }) => url],
  ['Description', ({ description }) => description],
  ['Events', ({ eventTypes }) => eventTypes?.join(', ') ?? 'all'],
  ['Environment', ({ environment }) => environment],
  ['Enabled', ({ enabled }) => (enabled ? 'yes' : 'no')],
  ['Failures', ({ consecutiveFailures }) => consecutiveFailures || null],
  [
    'Last',
    ({ lastAttemptAt, lastStatus }) => lastAttemptAt && `${lastAttemptAt}: ${lastStatus ?? 'no response'}`,
  ],
];

/** Endpoints are known by their addresses. */
const endpointId = ({ webhookEndpoints }: Gatehouse, text: string): Promise<string> =>
  idByName(text, {
    word: 'endpoint',
    prefix: 'whe',
    list: () => webhookEndpoints.list(),
    nameOf: ({ url }) => url,
  });

/** The client, and the id of the endpoint that is named first. */
async function named({ args, gatehouse }: Pick<Context, 'args' | 'gatehouse'>) {
  const client = await gatehouse();
  return { webhookEndpoints: client.webhookEndpoints, id: await endpointId(client, args[0]!) };
}

export async function view(context: Context): Promise<void> {
  const { webhookEndpoints, id } = await named(context);
  await printOne(await webhookEndpoints.get(id), context.options, COLUMNS);
}

export async function create({ args, options, gatehouse }: Context<CreateOptions>): Promise<void> {
  const { event, description } = options;
  const input = {
    url: args[0]!,
    ...(event !== undefined && { eventTypes: event }),
    ...(description !== undefined && { description }),
  };
  await printSecret(await (await gatehouse()).webhookEndpoints.create(input), options);
}

export async function rotateSecret(context: Context): Promise<void> {
  const { webhookEndpoints, id } = await named(context);
  await printSecret(await webhookEndpoints.rotateSecret(id), context.options);
}

/** It is shown this once: on standard output, where it can be piped on. */
async function printSecret(created: WebhookEndpointCreated, options: Context['options']): Promise<void> {
  if (wantsJson(options)) return printAsJson(created, options);
  const { endpoint, secret } = created;
  say(
    `${green('✓')} Deliveries of ${endpoint.id} to ${endpoint.url} are signed with this secret, shown once:`,
  );
  console.log(plainText(secret));
}

export async function enable(context: Context): Promise<void> {
  const { webhookEndpoints, id } = await named(context);
  const { url } = await webhookEndpoints.enable(id);
  say(`${green('✓')} ${url} gets events again.`);
}

export async function remove(context: Context<DeletionOptions>): Promise<void> {
  const { webhookEndpoints, id } = await named(context);
  const { url } = await webhookEndpoints.get(id);
  await confirmDeletion(`Delete ${url} with its secret and its history?`, context.options);
  await webhookEndpoints.delete(id);
  say(`${green('✓')} ${url} is deleted.`);
}

export async function test(context: Context): Promise<void> {
  const { webhookEndpoints, id } = await named(context);
  await printOutcome(await webhookEndpoints.test(id), context.options);
}

interface DeliveriesOptions {
  limit: string;
  status?: string;
  event?: string;
  since?: string;
  until?: string;
}

export async function deliveries(context: Context<DeliveriesOptions>): Promise<void> {
  const { options } = context;
  const { status, event, since, until } = options;
  const { webhookEndpoints, id: endpoint } = await named(context);
  const list = webhookEndpoints.deliveries.list(endpoint, {
    // The service says which there are.
    ...(status !== undefined && { status: status as WebhookDelivery['status'] }),
    ...(event !== undefined && { eventType: event }),
    ...(since !== undefined && { since: momentOf('--since', since) }),
    ...(until !== undefined && { until: momentOf('--until', until) }),
  });
  await printList(await first(list, options.limit), options, [
    ['id', ({ id }) => id],
    ['event', ({ eventType }) => eventType],
    ['status', ({ status }) => status],
    ['attempts', ({ attempts }) => attempts],
    ['last status', ({ lastStatus }) => lastStatus],
    ['made', ({ createdAt }) => createdAt],
  ]);
}

/** As HTTP has it: the address, the headers, and the body. */
export async function request(context: Context<{ attempt?: string }>): Promise<void> {
  const { webhookEndpoints, id } = await named(context);
  const { args, options } = context;
  const { attempt } = options;
  const query = attempt === undefined ? {} : { attempt: Number(attempt) };
  const sent = await webhookEndpoints.deliveries.request(id, args[1]!, query);
  if (wantsJson(options)) return printAsJson(sent, options);
  const head = sent.headers.map(({ name, value }) => `${name}: ${value}`);
  console.log(plainText([`${sent.method} ${sent.url}`, ...head].join('\n')));
  console.log(`\n${plainText(sent.body)}`);
}

export async function redeliver(context: Context): Promise<void> {
  const { webhookEndpoints, id } = await named(context);
  const [, delivery = ''] = context.args;
  await printOutcome(await webhookEndpoints.deliveries.redeliver(id, delivery), context.options);
}

async function printOutcome(outcome: WebhookDeliveryOutcome, options: Context['options']): Promise<void> {
  if (wantsJson(options)) await printAsJson(outcome, options);
  else if (outcome.queued) say(`${green('✓')} ${outcome.deliveryId} is on its way.`);
  else if (outcome.ok) say(`${green('✓')} The receiver took it (${outcome.status}).`);
  if (outcome.ok === false) {
    throw new CommandFailure(`The receiver did not take it (${outcome.status ?? 'no response'}).`);
  }
}
