import type { WorkspaceEvent } from '@gatehouse/client';

import type { Context } from '../context.js';
import { EXIT } from '../failure/exit-codes.js';
import { bold, dim, yellow } from '../terminal/colours.js';
import { say } from '../terminal/interactive.js';
import { plainText } from '../terminal/plain-text.js';
import { checkedAddress, forwardEvent } from './forward-event.js';
import { newSigningSecret } from './sign-delivery.js';

interface ListenOptions {
  forward?: string;
  event?: string[];
}

/** An event may come twice; so many are remembered. */
const REMEMBERED = 1_000;

/**
 * Follows what happens in the workspace until Ctrl-C. Each event is printed as a line of JSON, or sent to an address as a
 * signed delivery, with what came back.
 */
export default async function listen({ options, gatehouse }: Context<ListenOptions>): Promise<number> {
  const client = await gatehouse();
  const address = options.forward === undefined ? null : checkedAddress(options.forward);
  const secret = process.env['GATEHOUSE_WEBHOOK_SECRET'] || newSigningSecret();
  const wanted = options.event && new Set(options.event);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  // Before anything is said: whoever waits for it may then cause events.
  await client.workspace.get();
  if (address !== null) say(`Deliveries to ${address} are signed with ${bold(secret)}`);
  say(dim('Listening. Ctrl-C ends it.'));
  const seen = new Set<string>();
  try {
    for await (const event of client.events.follow({ signal: stop.signal })) {
      if (!isEvent(event)) say(`${yellow('warning:')} some events may have been missed`);
      else if ((!wanted || wanted.has(event.type)) && isNew(seen, event.id))
        await tell(event, address, secret);
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  return EXIT.done;
}

const isEvent = (event: object): event is WorkspaceEvent => 'id' in event;

function isNew(seen: Set<string>, id: string): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!);
  return true;
}

async function tell(event: WorkspaceEvent, address: string | null, secret: string): Promise<void> {
  if (address === null) return console.log(JSON.stringify(event));
  const { text } = await forwardEvent(event, address, secret);
  say(`${text} ${plainText(event.type)} ${dim(plainText(event.id))}`);
}
