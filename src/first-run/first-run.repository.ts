import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/index.js';

/** Any fixed number that no other lock of ours or the queue's has. */
const LOCK = 7_203_914_552;

@Injectable()
export class FirstRunRepository {
  constructor(private readonly database: Database) {}

  async hasUsers(): Promise<boolean> {
    return (await this.database.one('SELECT FROM users LIMIT 1')) !== null;
  }

  async hasApiKey(hash: Buffer): Promise<boolean> {
    return (await this.database.one('SELECT FROM api_keys WHERE hash = $1', [hash])) !== null;
  }

  /** Of all processes on this database one at a time carries out `work`; the others wait for their turn. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const client = await this.database.pool.connect();
    // When the connection breaks, the lock is gone with it; the statements of `work` fail then as well.
    client.on('error', () => undefined);
    try {
      await client.query("SET statement_timeout = '10min'");
      await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
      return await work();
    } finally {
      // Closed rather than given back: that ends the lock and the setting, whatever became of them.
      client.release(true);
    }
  }
}
