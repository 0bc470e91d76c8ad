import net, { isIP } from 'node:net';
import { untilOpen } from './until-open.js';

interface ConnectAnyOptions {
  port: number;
  signal: AbortSignal;
}

/** Not an address, so that Node asks the lookup below; nobody else is ever asked for this name. */
const NAME = 'checked.invalid';
/** How long an address may keep the next one waiting, in ms. A packet that is lost is sent again after a second. */
const ATTEMPT_MS = 1_250;

/**
 * Connects to the first of some addresses that takes the connection, trying both families in turns.
 *
 * @throws the error of the address, an AggregateError where there are several, or the signal's reason
 */
export function connectAny(
  addresses: readonly string[],
  { port, signal }: ConnectAnyOptions,
): Promise<net.Socket> {
  const checked = addresses.map((address) => ({ address, family: isIP(address) }));
  const socket = net.connect({
    host: NAME,
    port,
    lookup: (_name, _options, found) => found(null, checked),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    noDelay: true,
    keepAlive: true,
  });
  return untilOpen(socket, 'connect', signal);
}
