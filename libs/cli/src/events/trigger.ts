import type { WorkspaceEvent } from '@gatehouse/client';

import { stringifyJson } from '../output/json.js';
import { triggerId } from '../automations/automation.js';
import type { Context } from '../context.js';
import { CommandFailure, WrongUse } from '../failure/command-failure.js';
import { printOne } from '../output/print.js';
import type { Settings } from '../settings/settings.js';
import { green } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { checkedAddress, forwardEvent } from './forward-event.js';
import { feedListeners } from './local-listeners.js';
import { givenSigningSecret } from './sign-delivery.js';

interface TriggerOptions {
  forward?: string;
  test?: string;
}

/**
 * A made-up event of a type, with the example of the catalogue: given to each `gatehouse listen` of this user, sent to an address, or
 * asked of a trigger.
 */
export default async function trigger({
  args,
  options,
  gatehouse,
  settings,
}: Context<TriggerOptions>): Promise<void> {
  const [type = ''] = args;
  if (options.forward !== undefined && options.test !== undefined) {
    throw new WrongUse('Give --forward or --test, not both.');
  }
  const client = await gatehouse();
  const types = await client.eventTypes.list();
  const known = types.find((one) => one.type === type);
  if (!known)
    throw new WrongUse(
      `There is no event "${type}".`,
      `There are: ${types.map((one) => one.type).join(', ')}`,
    );
  const event: WorkspaceEvent = {
    id: `evt_made_up_${Date.now()}`,
    type,
    createdAt: new Date().toISOString(),
    data: known.example,
  };
  if (options.test !== undefined) {
    const result = await client.triggers.test(await triggerId(client, options.test), {
      event: { type, data: event.data },
    });
    return await printOne(result, options, [
      ['Fires', ({ fires }) => (fires ? 'yes' : 'no')],
      ['Because', ({ reason }) => reason],
      ['Inputs', ({ inputs }) => stringifyJson(inputs)],
    ]);
  }
  if (options.forward === undefined) return tellListeners(event, await settings());
  const secret = givenSigningSecret();
  if (secret === null) {
    throw new WrongUse(
      'Which secret signs it?',
      'Set GATEHOUSE_WEBHOOK_SECRET to what the receiver verifies with (whsec_…).',
    );
  }
  const { ok, text } = await forwardEvent(event, checkedAddress(options.forward), secret);
  say(`${text} ${type}`);
  if (!ok) throw new CommandFailure('The receiver did not take it.');
}

async function tellListeners(event: WorkspaceEvent, settings: Settings): Promise<void> {
  const count = await feedListeners(settings, event);
  if (count === 0) {
    throw new WrongUse(
      'Nobody listens here.',
      `Run gatehouse listen in another terminal first, or: gatehouse trigger ${event.type} --forward http://localhost:3000/hook`,
    );
  }
  say(`${green('✓')} ${event.type} went to ${count === 1 ? 'one listener' : `${count} listeners`}.`);
}
