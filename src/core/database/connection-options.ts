import type { PoolConfig } from 'pg';

import { PreparingClient } from '../../../libs/prepared-pg/index.js';
import { VALUE_TYPES } from './value-types.js';

const KEPT_OPEN = 4;

/** How to reach the database: found once at start (the embedded server's, or `DATABASE_URL`). */
export class ConnectionOptions {
  readonly pool: PoolConfig;

  constructor(
    readonly url: string,
    poolSize: number,
    /** What is wrong with the server, as far as this process looks after it. */
    readonly problem: () => string | null = () => null,
  ) {
    this.pool = {
      Client: PreparingClient,
      // What is asked at once goes out at once; what waits for a response still comes after it.
      pipeline: true,
      types: VALUE_TYPES,
      connectionString: url,
      max: poolSize,
      // What a run needs at once stays open: a new connection has to learn the catalog and every statement anew.
      min: Math.min(KEPT_OPEN, poolSize),
      connectionTimeoutMillis: 5_000,
      // A statement that runs this long is stuck or a mistake; no route needs more.
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 60_000,
      application_name: 'gatehouse',
      // Our statements are prepared and go by an index whatever their values: planning them anew costs more than they do.
      options: '-c plan_cache_mode=force_generic_plan',
    };
  }
}
