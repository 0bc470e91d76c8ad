import { Readable } from 'node:stream';

import type { GatehouseResponse } from './request.js';
import { sendStream, type Watch } from './stream-response.js';

/** Sends server-sent events until there are no more or the watch ends the response; `events` has to stop by itself then. */
export function sendEventStream(
  response: GatehouseResponse,
  events: AsyncIterable<string>,
  watch: Watch,
): void {
  response.setHeader('x-accel-buffering', 'no');
  sendStream(response, 'text/event-stream; charset=utf-8', Readable.from(events), watch);
}
