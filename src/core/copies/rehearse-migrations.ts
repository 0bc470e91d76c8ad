import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';

import { ConnectionOptions, dataSourceOptions, migrate } from '../database/index.js';
import type { LoadedExtension } from '../extensions/index.js';

/** What a migration kept others from. */
interface TableLock {
  table: string;
  /** As PostgreSQL calls it. */
  mode: string;
}

export interface RehearsedMigration {
  name: string;
  ms: number;
  /** Held until it was committed, so for `ms` at most. */
  locks: TableLock[];
}

/** Carries out, on a copy, what this program has still to change, and says how long each migration took and what it locked. */
export async function rehearseMigrations(
  url: string,
  extensions: readonly LoadedExtension[],
): Promise<{ own: RehearsedMigration[]; restMs: number }> {
  const source = await new DataSource(
    await dataSourceOptions(new ConnectionOptions(url, 4), extensions),
  ).initialize();
  const runner = source.createQueryRunner();
  try {
    await runner.query("SET statement_timeout = '30min'");
    const executor = new MigrationExecutor(source, runner);
    const own: RehearsedMigration[] = [];
    for (const migration of await executor.getPendingMigrations()) {
      const tables = ((await runner.query(TABLES)) as { oid: string }[]).map(({ oid }) => oid);
      const begun = performance.now();
      const alone = migration.instance?.transaction === false;
      if (!alone) await runner.startTransaction();
      await executor.executeMigration(migration);
      const locks = alone ? [] : await locksOf(runner, tables);
      if (!alone) await runner.commitTransaction();
      own.push({ name: migration.name, ms: performance.now() - begun, locks });
    }
    const begun = performance.now();
    await migrate(source, extensions);
    return { own, restMs: performance.now() - begun };
  } finally {
    await runner.release();
    await source.destroy();
  }
}

function locksOf(runner: QueryRunner, tables: readonly string[]): Promise<TableLock[]> {
  return runner.query(LOCKS, [tables]) as Promise<TableLock[]>;
}

const TABLES = `
  SELECT oid::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')`;

/** The weaker ones keep nobody from reading or writing. */
const LOCKS = `
  SELECT l.relation::regclass::text AS table, l.mode FROM pg_locks l
  WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND l.relation = ANY($1::oid[])
    AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  ORDER BY 1, 2`;
