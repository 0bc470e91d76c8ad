import { Readable } from 'node:stream';

import type { FastifyReply } from 'fastify';

/** What is not read by then is not waited for: a client that reads nothing must not keep an ended stream open. */
const GRACE_MS = 1_000;

/** Whatever decides how long an answer may go on. */
interface Watch {
  readonly ended: AbortSignal;
  close(): void;
}

/** Answers with server-sent events, until there are no more or the watch ends them; `events` has to heed that by itself. */
export function sendEventStream(reply: FastifyReply, events: AsyncIterable<string>, watch: Watch): void {
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
  reply.raw.once('close', () => watch.close());
  void reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(body);
}
