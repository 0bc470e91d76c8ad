import { type BackendFactory, DEFAULT_SCHEMA, PostgresConnection, PostgresQueueBackend } from 'bullmq';
import pg from 'pg';

import { QuietClient } from '../../../libs/prepared-pg/index.js';

/** One of them listens, for as long as the process has a worker. */
const CONNECTIONS = 5;

/**
 * What the queues and workers of a process share on the database. Each notification wakes a process of PostgreSQL for every
 * connection that listens, on whichever channel, so that workers do not listen by a connection each. The pool is our own:
 * where BullMQ connects by itself, nobody hears how the connection on which it listens breaks at its beginning or end.
 */
export class SharedConnection extends PostgresConnection {
  private users = 0;

  constructor(url: string) {
    super(
      new pg.Pool({
        Client: QuietClient,
        connectionString: url,
        max: CONNECTIONS,
        idleTimeoutMillis: 10_000,
        application_name: 'gatehouse-queue',
        // Without it, BullMQ looks for jobs every ten seconds, in case that its connection has broken silently.
        keepAlive: true,
        keepAliveInitialDelayMillis: 10_000,
        // Its statements do not name their schema.
        options: `-c search_path=${DEFAULT_SCHEMA}`,
      }),
    );
  }

  use(): this {
    this.users += 1;
    return this;
  }

  /** Each queue and worker closes it once; it ends with the last of them. */
  override async close(): Promise<void> {
    this.users -= 1;
    if (this.users > 0) return;
    await super.close();
    await (this.pool as pg.Pool).end();
  }
}

export const createSharedBackend: BackendFactory<PostgresQueueBackend, SharedConnection> = (name, opts) => {
  const connection = opts.connection.use();
  return new PostgresQueueBackend(connection, name, { ...opts, connection: connection.pool });
};
