import { pipeline, type Readable } from 'node:stream';

import type { GatehouseResponse } from './request.js';

/** A client that reads nothing must not keep an ended stream open for longer. */
const GRACE_MS = 1_000;

/** Decides how long a response may go on. */
export interface Watch {
  readonly ended: AbortSignal;
  close(): void;
}

/** Sends what is read from `body` until its end, or until the watch ends the response and it has not stopped by itself. */
export function sendStream(response: GatehouseResponse, type: string, body: Readable, watch: Watch): void {
  response.setHeader('content-type', type);
  response.setHeader('cache-control', 'no-store');
  if (response.req.method === 'HEAD') {
    body.destroy();
    watch.close();
    response.end();
    return;
  }
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
