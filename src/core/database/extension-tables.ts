import type { DataSource, QueryRunner } from 'typeorm';

import { ExtensionProblem } from '../extensions/extension-problem.js';
import { type LoadedExtension, wordOf } from '../extensions/loaded-extension.js';
import { isOurEntity } from './data-source.js';

/** @throws ExtensionProblem where an entity that is not ours has a table without the name of an extension */
export function assertOwnTables(source: DataSource, extensions: readonly LoadedExtension[]): void {
  if (extensions.length === 0) return;
  const [ours, others] = [true, false].map((own) =>
    source.entityMetadatas.filter(({ target }) => isOurEntity(target) === own),
  );
  const ourTables = new Set(ours!.map(({ tableName }) => tableName));
  for (const { name, tableName } of others!) {
    const isOwn = extensions.some((extension) => isTableOf(extension, tableName));
    if (isOwn && !ourTables.has(tableName)) continue;
    const names = extensions.map((extension) => `${wordOf(extension.name)}_…`).join(' or ');
    const why = ourTables.has(tableName) ? "is one of Gatehouse's own" : `has to be called ${names}`;
    throw new ExtensionProblem(`that has the entity ${name}`, `its table "${tableName}" ${why}.`);
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
