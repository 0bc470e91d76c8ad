import { DataSource, MigrationExecutor } from 'typeorm';

import type { LoadedExtension } from '../extensions/index.js';
import type { ConnectionOptions } from './connection-options.js';
import { dataSourceOptions } from './data-source.js';
import { ExtensionMigration } from './extension-migration.entity.js';
import { assertKnownMigrations } from './needed-tables.js';
import { assertWholeCopy } from './restored-copy.js';

/** A migration of the program, or of an extension. */
interface KnownMigration {
  extension: string | null;
  name: string;
}

export interface SchemaStatus {
  /** PostgreSQL's version. */
  server: string;
  /** Those of this program and its extensions, in their order. */
  migrations: (KnownMigration & { carriedOut: boolean })[];
  /** Those that were carried out by a newer version, or by an extension that is not loaded. */
  unknown: KnownMigration[];
}

/** Which migrations the database has had. Changes nothing. */
export async function schemaStatus(
  connection: ConnectionOptions,
  extensions: readonly LoadedExtension[],
): Promise<SchemaStatus> {
  const source = await new DataSource(await dataSourceOptions(connection, extensions)).initialize();
  try {
    const [{ server_version: server } = { server_version: '' }] =
      await source.query<{ server_version: string }[]>('SHOW server_version');
    const done = await carriedOut(source);
    const known = [
      ...source.migrations.map(({ name }) => ({ extension: null, name: name! })),
      ...extensions.flatMap(({ name: extension, migrations }) =>
        migrations.map(({ name }) => ({ extension, name })),
      ),
    ];
    return {
      server,
      migrations: known.map((migration) => ({ ...migration, carriedOut: includes(done, migration) })),
      unknown: done.filter((migration) => !includes(known, migration)),
    };
  } finally {
    await source.destroy();
  }
}

/**
 * How many migrations a start would carry out. Changes nothing.
 *
 * @throws Error in a sentence for the operator where it would be refused
 */
export async function waitingMigrations(connection: ConnectionOptions): Promise<number> {
  const source = await new DataSource(await dataSourceOptions(connection)).initialize();
  try {
    await assertWholeCopy((statement) => source.query(statement));
    await assertKnownMigrations(source);
    return (await new MigrationExecutor(source).getPendingMigrations()).length;
  } finally {
    await source.destroy();
  }
}

/** Of an empty database: none. */
async function carriedOut(source: DataSource): Promise<KnownMigration[]> {
  const own = await new MigrationExecutor(source).getExecutedMigrations();
  const runner = source.createQueryRunner();
  const hasTable = await runner.hasTable('extension_migrations').finally(() => runner.release());
  const theirs = hasTable ? await source.getRepository(ExtensionMigration).find() : [];
  return [
    ...own.map(({ name }) => ({ extension: null, name })),
    ...theirs.map(({ extension, name }) => ({ extension, name })),
  ];
}

function includes(migrations: readonly KnownMigration[], one: KnownMigration): boolean {
  return migrations.some(({ extension, name }) => extension === one.extension && name === one.name);
}
