import { setTimeout as sleep } from 'node:timers/promises';

import { runMigrations as runQueueMigrations } from 'bullmq';
import type { PoolClient } from 'pg';
import { type DataSource, MigrationExecutor, QueryFailedError, type QueryRunner } from 'typeorm';

import type { LoadedExtension } from '../extensions/index.js';
import { assertWholeCopy } from './restored-copy.js';
import { isDatabaseAway } from './database-errors.js';
import { migrateExtension } from './extension-migrations.js';
import { assertKnownMigrations, assertNeededTables } from './needed-tables.js';
import { patiently } from './patiently.js';

/** Any fixed number, as long as it is not the queue's own. */
const LOCK = 7_203_914_551;
/** As long as a migration may take. */
const PATIENCE_MS = 30 * 60_000;
const TURN_MS = 200;

/** Whether nobody else changed tables, who now waits until this connection ends. SQL, as a copy is made without an application. */
export const TRY_LOCK_TABLES = `SELECT pg_try_advisory_lock(${LOCK}) AS locked`;

/**
 * Brings the tables up to date: ours, the queue's, and those of extensions. Processes that start at once take turns.
 *
 * @throws Error in a sentence for the operator where that cannot be done
 */
export async function migrate(
  source: DataSource,
  extensions: readonly LoadedExtension[] = [],
): Promise<void> {
  await alone(source, async (client, runner) => {
    await assertWholeCopy((statement) => source.query(statement));
    await assertKnownMigrations(source);
    const ours = new MigrationExecutor(source, runner);
    ours.transaction = 'each';
    await patiently(client, async () => {
      await ours.executePendingMigrations();
      await runQueueMigrations(client);
    }).catch(inOneSentence);
    for (const extension of extensions) await migrateExtension(source, extension);
    await assertNeededTables(source, extensions);
  });
}

function inOneSentence(error: unknown): never {
  if (!(error instanceof QueryFailedError) || isDatabaseAway(error)) throw error;
  throw new Error(
    `The database cannot be brought up to date: ${error.message}. The migration that failed has changed nothing; the ones before it are done.`,
    { cause: error },
  );
}

/**
 * Asks again and again. One statement that waits would hold a snapshot, and `CREATE INDEX CONCURRENTLY` of whoever has the lock
 * waits for that: a deadlock, of which PostgreSQL ends one.
 */
async function lockTables(client: PoolClient): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await sleep(TURN_MS)) {
    const { rows } = await client.query<{ locked: boolean }>(TRY_LOCK_TABLES);
    if (rows[0]!.locked) return;
  }
  throw new Error(
    'Another process has been changing the tables for half an hour. See to that one, then start this again.',
  );
}

/** While nobody else changes tables, in whichever process. */
export async function alone(
  source: DataSource,
  work: (client: PoolClient, runner: QueryRunner) => Promise<void>,
): Promise<void> {
  const guard = source.createQueryRunner();
  const client = (await guard.connect()) as PoolClient;
  await client.query("SET statement_timeout = '30min'");
  await lockTables(client);
  try {
    await work(client, guard);
  } finally {
    await client.query('RESET ALL');
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    await guard.release();
  }
}
