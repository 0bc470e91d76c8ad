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
 * @throws ExtensionProblem where it made, dropped or altered one without the extension's name
 */
export async function withOwnTables(
  runner: QueryRunner,
  extension: LoadedExtension,
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await tablesOf(runner);
  await change();
  const after = await tablesOf(runner);
  const tables = [...new Set([...before.keys(), ...after.keys()])];
  const foreign = tables
    .filter((table) => !isTableOf(extension, table))
    .find((table) => before.get(table) !== after.get(table));
  if (foreign === undefined) return;
  const kept = before.has(foreign) && after.has(foreign);
  const does = kept ? 'alter' : 'make and drop';
  const why = `its migrations ${does} tables that are called ${wordOf(extension.name)}_…, not "${foreign}".`;
  throw new ExtensionProblem(extension.reference, why);
}

function isTableOf({ name }: LoadedExtension, table: string): boolean {
  return table === wordOf(name) || table.startsWith(`${wordOf(name)}_`);
}

/** What each is made of, in a digest. */
async function tablesOf(runner: QueryRunner): Promise<Map<string, string>> {
  const rows = (await runner.query(TABLES)) as { name: string; made: string }[];
  return new Map(rows.map(({ name, made }) => [name, made]));
}

/** A foreign key that refers to a table adds triggers to it, which are the database's own and left out. */
const TABLES = `
  SELECT c.relname AS name, md5(jsonb_build_array(
    c.reloptions, c.relacl::text, c.relowner::text, c.relrowsecurity, c.relpersistence::text,
    (SELECT jsonb_agg(jsonb_build_array(a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
        a.attcollation::text, a.attgenerated::text, a.attidentity::text, pg_get_expr(d.adbin, d.adrelid)) ORDER BY a.attnum)
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    (SELECT jsonb_agg(jsonb_build_array(k.conname, k.convalidated, pg_get_constraintdef(k.oid)) ORDER BY k.conname)
      FROM pg_constraint k WHERE k.conrelid = c.oid),
    (SELECT jsonb_agg(pg_get_indexdef(i.indexrelid) ORDER BY i.indexrelid) FROM pg_index i WHERE i.indrelid = c.oid),
    (SELECT jsonb_agg(jsonb_build_array(t.tgenabled::text, pg_get_triggerdef(t.oid)) ORDER BY t.tgname)
      FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal),
    (SELECT jsonb_agg(pg_get_ruledef(r.oid) ORDER BY r.rulename) FROM pg_rewrite r WHERE r.ev_class = c.oid)
  )::text) AS made
  FROM pg_class c
  WHERE c.relkind IN ('r', 'p', 'v', 'm') AND c.relnamespace = current_schema()::regnamespace`;
