import type { Gatehouse, WorkspaceEvent } from '@gatehouse/client';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { EXIT, type ExitCode } from '../failure/exit-codes.js';
import { printJson } from '../output/print.js';
import { bold, dim, yellow } from '../terminal/colours.js';
import { say } from '../terminal/say.js';
import { checkedAddress, forwardEvent } from './forward-event.js';
import { openListener } from './local-listeners.js';
import { pastEvent } from './resend-event.js';
import { givenSigningSecret, newSigningSecret } from './sign-delivery.js';

interface ListenOptions {
  forward?: string;
  event?: string[];
  resend?: string[];
}

/** Where events go, and what signs them. */
interface Receiver {
  address: string;
  secret: string;
}

/** An event may come twice; so many are remembered. */
const REMEMBERED = 1_000;

/**
 * Follows what happens in the workspace until Ctrl-C, and what `gatehouse trigger` makes up on this machine. Each event is printed as a line of JSON, or sent to an address as a
 * signed delivery, with what came back. With `--resend`, only those events are sent.
 */
export default async function listen({
  options,
  gatehouse,
  settings,
}: Context<ListenOptions>): Promise<ExitCode> {
  const { forward, event: types, resend } = options;
  const given = givenSigningSecret();
  const address = forward === undefined ? null : checkedAddress(forward);
  const receiver = address === null ? null : { address, secret: given ?? newSigningSecret() };
  const client = await gatehouse();
  if (receiver && given === null) {
    say(`Deliveries to ${receiver.address} are signed with ${bold(receiver.secret)}`);
  }
  if (resend) return resendTo(client, resend, receiver);
  const wanted = types && new Set(types);
  const close = await openListener(await settings(), (event) => {
    if (!wanted || wanted.has(event.type)) void tell(event, receiver);
  });
  try {
    await follow(client, wanted, receiver);
  } finally {
    close();
  }
  return EXIT.done;
}

async function resendTo(
  gatehouse: Gatehouse,
  ids: readonly string[],
  receiver: Receiver | null,
): Promise<ExitCode> {
  if (!receiver) {
    throw new WrongUse('Where to?', 'Add --forward with an address such as http://localhost:3000/hook');
  }
  let allTaken = true;
  for (const id of ids) allTaken = (await tell(await pastEvent(gatehouse, id), receiver)) && allTaken;
  return allTaken ? EXIT.done : EXIT.failed;
}

async function follow(
  gatehouse: Gatehouse,
  types: ReadonlySet<string> | undefined,
  receiver: Receiver | null,
): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const seen = new Set<string>();
  try {
    for await (const event of gatehouse.events.follow({ signal: stop.signal, onBegin, onLost })) {
      if (!isEvent(event)) say(`${yellow('warning:')} some events may have been missed`);
      else if ((!types || types.has(event.type)) && isNew(seen, event.id)) await tell(event, receiver);
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

/** Whoever waits for these words may cause events from then on. */
const onBegin = (): void => say(dim('Listening. Ctrl-C ends it.'));
const onLost = (): void => say(dim('The connection was lost; it is made again.'));

const isEvent = (event: object): event is WorkspaceEvent => 'id' in event;

function isNew(seen: Set<string>, id: string): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!);
  return true;
}

/** Whether it was taken. */
async function tell(event: WorkspaceEvent, receiver: Receiver | null): Promise<boolean> {
  if (!receiver) {
    printJson(event, 'line');
    return true;
  }
  const { ok, text } = await forwardEvent(event, receiver.address, receiver.secret);
  say(`${text} ${event.type} ${dim(event.id)}`);
  return ok;
}
