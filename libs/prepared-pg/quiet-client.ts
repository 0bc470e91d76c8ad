import pg, { type ClientConfig } from 'pg';

/**
 * A connection that breaks emits `error`, and an `error` that nobody listens for ends the process. There are moments in
 * which nobody else does: the pool takes its listener off before the borrower has put on its own, and the server's last
 * words may arrive together with the response that completed the connection. Whoever uses a connection learns of its end
 * from the query.
 */
export class QuietClient extends pg.Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
