import { EventEmitter } from 'node:events';

import pg from 'pg';

/**
 * A connection that breaks emits `error`, and an `error` that nobody listens for ends the process. There are moments in
 * which nobody does: the pool takes its listener off before the borrower has put on its own, and the server's last words
 * may arrive together with the response that completed the connection; the queue's library connects first and listens
 * afterwards, and stops listening before it disconnects. Whoever uses a connection learns of its end from the query, so
 * an `error` without a listener is dropped. For every connection of this process, whichever library made it.
 */
export function dropUnheardErrors(): void {
  for (const { prototype } of [pg.Client, pg.Pool]) prototype.emit = emitIfHeard;
}

function emitIfHeard(this: EventEmitter, event: string | symbol, ...values: unknown[]): boolean {
  if (event === 'error' && this.listenerCount('error') === 0) return false;
  return EventEmitter.prototype.emit.call(this, event, ...values);
}
