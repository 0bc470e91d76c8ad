import type { WebhookDeliveryOutcome, WebhookEndpoint, WebhookEndpointCreated } from '@gatehouse/client';

import type { Context } from '../context.js';
import { CommandFailure } from '../failure/command-failure.js';
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

export async function view({ args, options, gatehouse }: Context): Promise<void> {
  await printOne(await (await gatehouse()).webhookEndpoints.get(args[0]!), options, COLUMNS);
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

export async function rotateSecret({ args, options, gatehouse }: Context): Promise<void> {
  await printSecret(await (await gatehouse()).webhookEndpoints.rotateSecret(args[0]!), options);
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

export async function enable({ args, gatehouse }: Context): Promise<void> {
  const { url } = await (await gatehouse()).webhookEndpoints.enable(args[0]!);
  say(`${green('✓')} ${url} gets events again.`);
}

export async function remove({ args, options, gatehouse }: Context<DeletionOptions>): Promise<void> {
  const { webhookEndpoints } = await gatehouse();
  const { id, url } = await webhookEndpoints.get(args[0]!);
  await confirmDeletion(`Delete ${url} with its secret and its history?`, options);
  await webhookEndpoints.delete(id);
  say(`${green('✓')} ${url} is deleted.`);
}

export async function test({ args, options, gatehouse }: Context): Promise<void> {
  await printOutcome(await (await gatehouse()).webhookEndpoints.test(args[0]!), options);
}

export async function deliveries({ args, options, gatehouse }: Context<{ limit: string }>): Promise<void> {
  const list = (await gatehouse()).webhookEndpoints.deliveries.list(args[0]!);
  await printList(await first(list, options.limit), options, [
    ['id', ({ id }) => id],
    ['event', ({ eventType }) => eventType],
    ['status', ({ status }) => status],
    ['attempts', ({ attempts }) => attempts],
    ['last status', ({ lastStatus }) => lastStatus],
    ['made', ({ createdAt }) => createdAt],
  ]);
}

export async function redeliver({ args, options, gatehouse }: Context): Promise<void> {
  const [endpoint = '', delivery = ''] = args;
  await printOutcome(
    await (await gatehouse()).webhookEndpoints.deliveries.redeliver(endpoint, delivery),
    options,
  );
}

async function printOutcome(outcome: WebhookDeliveryOutcome, options: Context['options']): Promise<void> {
  if (wantsJson(options)) await printAsJson(outcome, options);
  else if (outcome.queued) say(`${green('✓')} ${outcome.deliveryId} is on its way.`);
  else if (outcome.ok) say(`${green('✓')} The receiver took it (${outcome.status}).`);
  if (outcome.ok === false) {
    throw new CommandFailure(`The receiver did not take it (${outcome.status ?? 'no response'}).`);
  }
}
