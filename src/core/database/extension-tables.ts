import type { DataSource, QueryRunner } from 'typeorm';

import { ExtensionProblem, type LoadedExtension, wordOf } from '../extensions/index.js';

/** @throws ExtensionProblem where an entity of an extension has a table without its name, or one of ours */
export function assertOwnTables(source: DataSource, extensions: readonly LoadedExtension[]): void {
  const added = new Set<unknown>(extensions.flatMap(({ entities }) => [...entities]));
  const ours = source.entityMetadatas.filter(({ target }) => !added.has(target));
  for (const extension of extensions) {
    for (const entity of extension.entities) {
      const { tableName } = source.getMetadata(entity);
      const isTaken = ours.some((other) => other.tableName === tableName);
      if (isTableOf(extension, tableName) && !isTaken) continue;
      const why = isTaken ? "is one of Gatehouse's own" : `has to be called ${wordOf(extension.name)}_…`;
      throw new ExtensionProblem(extension.reference, `the table "${tableName}" of ${entity.name} ${why}.`);
    }
  }
}

/**
 * Does what a migration does, and looks at the tables before and after.
 *
 * @throws ExtensionProblem where it made or dropped one without the extension's name
 */
export async function withOwnTables(
  runner: QueryRunner,
  extension: LoadedExtension,
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await tablesOf(runner);
  await change();
  const after = await tablesOf(runner);
  const changed = [...before].filter((table) => !after.has(table));
  changed.push(...[...after].filter((table) => !before.has(table)));
  const foreign = changed.find((table) => !isTableOf(extension, table));
  if (foreign === undefined) return;
  const why = `its migrations make and drop tables that are called ${wordOf(extension.name)}_…, not "${foreign}".`;
  throw new ExtensionProblem(extension.reference, why);
}

function isTableOf({ name }: LoadedExtension, table: string): boolean {
  return table === wordOf(name) || table.startsWith(`${wordOf(name)}_`);
}

async function tablesOf(runner: QueryRunner): Promise<Set<string>> {
  const rows = (await runner.query(TABLES)) as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}

const TABLES = `
  SELECT c.relname AS name FROM pg_class c
  WHERE c.relkind IN ('r', 'p', 'v', 'm') AND c.relnamespace = current_schema()::regnamespace`;
