import { Readable, pipeline } from 'node:stream';

import type { GatehouseReply } from './request.js';

/** What is not read by then is not waited for: a client that reads nothing must not keep an ended stream open. */
const GRACE_MS = 1_000;

/** Whatever decides how long an answer may go on. */
interface Watch {
  readonly ended: AbortSignal;
  close(): void;
}

/** Answers with server-sent events, until there are no more or the watch ends them; `events` has to heed that by itself. */
export function sendEventStream(reply: GatehouseReply, events: AsyncIterable<string>, watch: Watch): void {
  reply.setHeader('content-type', 'text/event-stream; charset=utf-8');
  reply.setHeader('cache-control', 'no-store');
  reply.setHeader('x-accel-buffering', 'no');
  if (reply.req.method === 'HEAD') {
    watch.close();
    reply.end();
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
  // A client that has gone is not felt before the next event: nobody watches over its stream until then.
  reply.once('close', () => watch.close());
  // Whatever breaks it off, the connection ends with it; there is nobody left to tell.
  pipeline(body, reply, () => undefined);
}
