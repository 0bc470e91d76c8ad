import { EventEmitter } from 'node:events';

import pg from 'pg';

/**
 * A connection that breaks emits `error`, which ends the process if nobody listens. At some moments nobody does. The
 * pool takes its listener off before the borrower has put on its own. The server's last words may arrive with the
 * response that completed the connection. The queue's library listens only after it has connected, and stops before it
 * disconnects. Whoever uses a connection learns of its end from the query, so an `error` without a listener is dropped.
 * For every connection of this process, whichever library made it.
 */
export function dropUnheardErrors(): void {
  for (const { prototype } of [pg.Client, pg.Pool]) prototype.emit = emitIfHeard;
}

function emitIfHeard(this: EventEmitter, event: string | symbol, ...values: unknown[]): boolean {
  if (event === 'error' && this.listenerCount('error') === 0) return false;
  return EventEmitter.prototype.emit.call(this, event, ...values);
}
