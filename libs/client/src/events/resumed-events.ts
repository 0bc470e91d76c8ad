import { GatehouseError } from '../errors/errors.js';
import { isPassing } from '../http/retry-wait.js';
import { sleep } from '../http/sleep.js';
import { EVENTS } from '../http/transport.js';
import { type ServerEvent, readEvents } from './read-events.js';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/** As long as a service takes to be started again, and then some. */
const PATIENCE_MS = 120_000;

interface ResumedOptions {
  /** The id of the event after which to begin. */
  lastEventId?: string;
  signal?: AbortSignal;
  /** Called when it has begun: what happens from then on comes. */
  onBegin?: () => void;
  /** Called when it has ended, before it is opened again. */
  onLost?: () => void;
}

/**
 * Events of a stream that is opened again, after the last one that came, whenever it ends. Whoever reads it knows when
 * there is no more, and stops.
 *
 * @param open gives the stream, with these headers
 * @throws GatehouseError where the service refuses it, is not there at first, or stays away for two minutes
 */
export async function* resumedEvents(
  open: (headers: Record<string, string>) => Promise<Response>,
  { lastEventId = '', signal, onBegin, onLost }: ResumedOptions,
): AsyncGenerator<ServerEvent, void, void> {
  let last = lastEventId;
  let hasBegun = false;
  const passed = (id: string): void => {
    last = id;
    if (!hasBegun) onBegin?.();
    hasBegun = true;
  };
  let wait = FIRST_WAIT_MS;
  /** When the stream was last there. */
  let lastThere: number | undefined;
  for (;;) {
    try {
      const response = await open({
        accept: EVENTS,
        ...(last !== '' && { 'last-event-id': last }),
      });
      lastThere = Date.now();
      for await (const event of readEvents(response.body!, passed)) {
        wait = FIRST_WAIT_MS;
        yield event;
      }
      lastThere = Date.now();
    } catch (failure) {
      signal?.throwIfAborted();
      if (!(failure instanceof GatehouseError)) lastThere = Date.now();
      else if (!isPassing(failure) || Date.now() - (lastThere ?? 0) > PATIENCE_MS) throw failure;
    }
    // While it stays away, each try is one more.
    if (wait === FIRST_WAIT_MS) onLost?.();
    await sleep(wait * (0.5 + Math.random() / 2), signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}
