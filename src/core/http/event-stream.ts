import { Readable, pipeline } from 'node:stream';

import type { GatehouseResponse } from './request.js';

/** A client that reads nothing must not keep an ended stream open for longer. */
const GRACE_MS = 1_000;

/** Decides how long a response may go on. */
interface Watch {
  readonly ended: AbortSignal;
  close(): void;
}

/** Sends server-sent events until there are no more or the watch ends the response; `events` has to stop by itself then. */
export function sendEventStream(
  response: GatehouseResponse,
  events: AsyncIterable<string>,
  watch: Watch,
): void {
  response.setHeader('content-type', 'text/event-stream; charset=utf-8');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-accel-buffering', 'no');
  if (response.req.method === 'HEAD') {
    watch.close();
    response.end();
    return;
  }
  const body = Readable.from(events);
  let cut: NodeJS.Timeout | undefined;
  watch.ended.addEventListener('abort', () => (cut = setTimeout(() => body.destroy(), GRACE_MS)), {
    once: true,
  });
  body.once('close', () => {
    clearTimeout(cut);
    watch.close();
  });
  // Without this, a client that has gone would be noticed only at the next event.
  response.once('close', () => watch.close());
  // Whatever the error is, the connection ends with it, so there is nobody to report it to.
  pipeline(body, response, () => undefined);
}
