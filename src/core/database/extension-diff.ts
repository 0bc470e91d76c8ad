import { DataSource, type QueryRunner, Table, TableColumn } from 'typeorm';

import type { LoadedExtension } from '../extensions/index.js';
import type { ConnectionOptions } from './connection-options.js';
import { dataSourceOptions } from './data-source.js';
import { carriedOut } from './extension-migrations.js';
import { assertOwnTables } from './extension-tables.js';

/** Statements that a migration would have to do. */
export interface ExtensionDiff {
  up: string[];
  /** In the order in which they undo the others. */
  down: string[];
}

/** So long it waits for a table that somebody uses. */
const LOCK_TIMEOUT = '5s';

/**
 * What an extension's entities have and the tables lack, once its migrations are carried out. That is tried in a transaction,
 * which is undone: nothing changes.
 *
 * @throws Error where a migration cannot be carried out, or the database has not had Gatehouse's own
 */
export async function extensionDiff(
  connection: ConnectionOptions,
  extension: LoadedExtension,
): Promise<ExtensionDiff> {
  const source = await new DataSource(await dataSourceOptions(connection, [extension])).initialize();
  const runner = source.createQueryRunner();
  try {
    assertOwnTables(source, [extension]);
    const done = await carriedOut(source, extension);
    await runner.startTransaction();
    await runner.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    for (const migration of extension.migrations) {
      if (!done.has(migration.name)) await new migration().up(runner);
    }
    return await missing(source, runner, extension);
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
    await source.destroy();
  }
}

async function missing(
  source: DataSource,
  runner: QueryRunner,
  extension: LoadedExtension,
): Promise<ExtensionDiff> {
  runner.enableSqlMemory();
  for (const entity of extension.entities) {
    const metadata = source.getMetadata(entity);
    const wanted = Table.create(metadata, source.driver);
    // TypeORM names the schema and the database in the statement; a migration is for any.
    wanted.name = metadata.tableName;
    const there = await runner.getTable(metadata.tableName);
    if (!there) await runner.createTable(wanted);
    else await runner.addColumns(there, lacking(wanted, there));
  }
  const { upQueries, downQueries } = runner.getMemorySql();
  runner.disableSqlMemory();
  return {
    up: upQueries.map(({ query }) => query),
    down: downQueries.map(({ query }) => query).toReversed(),
  };
}

function lacking({ columns }: Table, there: Table): TableColumn[] {
  return columns.filter(({ name }) => !there.columns.some((column) => column.name === name));
}
