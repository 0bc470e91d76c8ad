import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

import { ExtensionProblem, type LoadedExtension } from '../extensions/index.js';
import { ExtensionMigration } from './extension-migration.entity.js';
import { withOwnTables } from './extension-tables.js';

/**
 * Carries out what an extension's migrations have still to do, in their order and each in a transaction.
 *
 * @param again in a copy of where they were carried out: what they did then to others' tables is there, and is made once more
 * @throws ExtensionProblem where one cannot be carried out, those before it stay; and where a newer version has been here
 */
export async function migrateExtension(
  source: DataSource,
  extension: LoadedExtension,
  { again = false } = {},
): Promise<void> {
  const done = await carriedOut(source, extension);
  const unknown = [...done].filter((name) => !extension.migrations.some((known) => known.name === name));
  if (unknown.length > 0) {
    const why = `the database has had its migration ${unknown.join(', ')}, which this version does not have. Put back the newer version that has it, or restore a backup from before that.`;
    throw new ExtensionProblem(extension.reference, why);
  }
  for (const migration of extension.migrations) {
    if (done.has(migration.name)) continue;
    await change(source, extension, migration, async (runner) => {
      const up = (): Promise<unknown> => new migration().up(runner);
      await (again ? up() : withOwnTables(runner, extension, up));
      await runner.manager.insert(ExtensionMigration, { extension: extension.name, name: migration.name });
    });
  }
}

/**
 * Undoes an extension's migrations, the last one first. What an older version did to others' tables is undone with them.
 *
 * @returns how many there were
 * @throws ExtensionProblem where one cannot be undone, or was of a version whose migrations are not at hand
 */
export async function revertExtension(source: DataSource, extension: LoadedExtension): Promise<number> {
  const done = await carriedOut(source, extension);
  const known = extension.migrations.filter(({ name }) => done.has(name));
  if (known.length < done.size) {
    const unknown = [...done].filter((name) => !known.some((migration) => migration.name === name));
    const why = `it has no migration ${unknown.join(', ')}, which was carried out; put back the version that has.`;
    throw new ExtensionProblem(extension.reference, why);
  }
  for (const migration of [...known].reverse()) {
    await change(source, extension, migration, async (runner) => {
      await new migration().down(runner);
      await runner.manager.delete(ExtensionMigration, { extension: extension.name, name: migration.name });
    });
  }
  return known.length;
}

/** The names of its migrations that the database has had. */
export async function carriedOut(source: DataSource, extension: LoadedExtension): Promise<Set<string>> {
  const done = await source.getRepository(ExtensionMigration).findBy({ extension: extension.name });
  return new Set(done.map(({ name }) => name));
}

async function change(
  source: DataSource,
  extension: LoadedExtension,
  { name }: new () => MigrationInterface,
  work: (runner: QueryRunner) => Promise<void>,
): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query("SET LOCAL statement_timeout = '30min'");
    await work(runner);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    if (error instanceof ExtensionProblem) throw error;
    const why = `its migration ${name} could not be carried out: ${(error as Error).message}`;
    throw new ExtensionProblem(extension.reference, why, { cause: error });
  } finally {
    await runner.release();
  }
}
