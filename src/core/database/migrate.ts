import { runMigrations as runQueueMigrations } from 'bullmq';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

/** Any fixed number, as long as it is not the queue's own. */
const LOCK = 7_203_914_551;

/** Brings the tables up to date, ours and the queue's. Processes that start at once take turns. */
export async function migrate(source: DataSource): Promise<void> {
  const guard = source.createQueryRunner();
  const client = (await guard.connect()) as PoolClient;
  await client.query("SET statement_timeout = '30min'");
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
  try {
    await source.runMigrations({ transaction: 'each' });
    await runQueueMigrations(client);
  } finally {
    await client.query('RESET ALL');
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    await guard.release();
  }
}
