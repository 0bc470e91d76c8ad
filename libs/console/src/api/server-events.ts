import { readEvents } from '@gatehouse/client/operations';

import { actInPlace, noticedProblem } from './client.js';
import { Problem, problemOf } from './problem.js';
import { sameOrigin } from './same-origin.js';

export interface ServerEvent {
  event: string;
  id: string | null;
  data: unknown;
}

interface StreamOptions {
  signal: AbortSignal;
  lastEventId?: string;
  /** Told when the connection stands, and when it is lost. */
  onConnection?: (open: boolean) => void;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;

/**
 * Reads a stream of server-sent events, and goes on where it was cut off. (`EventSource` cannot send the workspace.)
 * Ends when the signal is aborted.
 * @throws Problem where the service refuses it: asking again would not help
 */
export async function* serverEvents(path: string, options: StreamOptions): AsyncGenerator<ServerEvent> {
  let { lastEventId } = options;
  let wait = FIRST_RETRY_MS;
  while (!options.signal.aborted) {
    try {
      for await (const event of readOnce(path, options, lastEventId)) {
        wait = FIRST_RETRY_MS;
        lastEventId = event.id ?? lastEventId;
        yield event;
      }
    } catch (error) {
      if (options.signal.aborted) return;
      if (error instanceof Problem && !isPassing(error)) throw error;
    } finally {
      options.onConnection?.(false);
    }
    await pause(wait, options.signal);
    wait = Math.min(wait * 2, LAST_RETRY_MS);
  }
}

async function* readOnce(
  path: string,
  { signal, onConnection }: StreamOptions,
  lastEventId: string | undefined,
): AsyncGenerator<ServerEvent> {
  const headers = new Headers({ accept: 'text/event-stream' });
  if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
  const response = await fetch(actInPlace(sameOrigin(path, { headers, signal })));
  if (!response.ok || !response.body) {
    throw problemOf(await response.json().catch(() => null), response);
  }
  onConnection?.(true);
  yield* eventsOf(response.body);
}

/**
 * The response to a post is a stream of events. It ends where the connection does: nothing is asked twice.
 * @throws Problem where the service refuses it
 */
export async function* postForEvents(
  path: string,
  body: unknown,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const init = { method: 'POST', headers: { accept: 'text/event-stream' }, signal };
  const response = await fetch(actInPlace(sameOrigin(path, init, body)));
  if (!response.ok || !response.body) {
    throw noticedProblem(await response.json().catch(() => null), response);
  }
  yield* eventsOf(response.body);
}

async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServerEvent> {
  for await (const { event, id, data } of readEvents(body)) {
    yield { event, id: id === '' ? null : id, data: parsed(data) };
  }
}

function isPassing({ status }: Problem): boolean {
  return status === 0 || status === 429 || status >= 500;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), done()), { once: true });
  });
}
