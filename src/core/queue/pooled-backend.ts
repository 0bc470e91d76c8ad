import {
  type BackendFactory,
  createPostgresBackend,
  DEFAULT_SCHEMA,
  type PostgresQueueBackend,
} from 'bullmq';
import pg, { type PoolConfig } from 'pg';

import { QuietClient } from '../../../libs/prepared-pg/index.js';

/** How a queue or worker on the database is connected. One connection of a worker listens, for as long as it is there. */
export function queuePool(url: string): PoolConfig {
  return {
    Client: QuietClient,
    connectionString: url,
    max: 3,
    idleTimeoutMillis: 10_000,
    application_name: 'gatehouse-queue',
    // Without it, BullMQ looks for jobs every ten seconds, in case that its connection has broken silently.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Its statements do not name their schema.
    options: `-c search_path=${DEFAULT_SCHEMA}`,
  };
}

/**
 * On a pool of our own, which ends with the queue: where BullMQ connects by itself, nobody hears how the connection on which
 * it listens breaks at its beginning or end.
 */
export const createPooledBackend: BackendFactory<PostgresQueueBackend, PoolConfig> = (name, opts, kind) => {
  const pool = new pg.Pool(opts.connection);
  const backend = createPostgresBackend(name, { ...opts, connection: pool }, kind);
  backend.once('close', () => void pool.end());
  return backend;
};
