import { type DataSource, type EntityMetadata, MigrationExecutor } from 'typeorm';

import { ExtensionProblem, type LoadedExtension } from '../extensions/index.js';

const MOST_NAMED = 5;

/**
 * Whether this program can bring the database up to date: it is empty or ours, and it knows each migration that was carried out.
 *
 * @throws Error where another program has been here, or a newer version of this one
 */
export async function assertKnownMigrations(source: DataSource): Promise<void> {
  const known = new Set(source.migrations.map(({ name }) => name));
  const carriedOut = await new MigrationExecutor(source).getExecutedMigrations();
  const unknown = carriedOut.map(({ name }) => name).filter((name) => !known.has(name));
  if (carriedOut.length === unknown.length) await assertNobodyElses(source, unknown.length > 0);
  if (unknown.length === 0) return;
  throw new Error(
    `The database is a newer Gatehouse's: this one does not know its migration ${named(unknown)}. Start that version again, or restore a backup from before the upgrade.`,
  );
}

/** None of our migrations was carried out: what is there in the place of our tables is another program's. */
async function assertNobodyElses(source: DataSource, hasMigrations: boolean): Promise<void> {
  const tables = source.entityMetadatas.map(({ tableName }) => tableName);
  const rows = (await source.query(TAKEN, [tables])) as { name: string }[];
  const taken = [...(hasMigrations ? ['migrations'] : []), ...rows.map(({ name }) => name)];
  if (taken.length === 0) return;
  throw new Error(
    `The database is another program's: it has tables with the names of ours (${named(taken)}), and none of our migrations. Set DATABASE_URL to an empty database.`,
  );
}

/**
 * Whether everything that the program reads and writes is there once the migrations are carried out.
 *
 * @throws Error naming what is missing
 * @throws ExtensionProblem where it is of an extension's entity
 */
export async function assertNeededTables(
  source: DataSource,
  extensions: readonly LoadedExtension[],
): Promise<void> {
  const rows = (await source.query(THERE)) as { name: string }[];
  const there = new Set(rows.map(({ name }) => name));
  for (const extension of extensions) {
    const columns = [...extension.entities].flatMap((entity) => columnsOf(source.getMetadata(entity)));
    const missing = columns.filter((name) => !there.has(name));
    if (missing.length === 0) continue;
    throw new ExtensionProblem(
      extension.reference,
      `the database lacks ${named(missing)}, which its entities have. Its migrations have to make that: \`npm run admin -- extensions diff ${extension.name}\` writes one.`,
    );
  }
  const theirs = new Set<unknown>(extensions.flatMap(({ entities }) => [...entities]));
  const ours = source.entityMetadatas.filter(({ target }) => !theirs.has(target));
  const missing = ours
    .flatMap((table) => [...columnsOf(table), ...indexesOf(table)])
    .filter((name) => !there.has(name))
    .sort();
  if (missing.length === 0) return;
  throw new Error(
    `The database cannot be brought up to date: it lacks ${named(missing)}, which no migration adds to it. It was made by a version from before the first release, or changed by hand: set DATABASE_URL or GATEHOUSE_DATA to an empty one, or start the version that made it.`,
  );
}

function columnsOf({ tableName, columns }: EntityMetadata): string[] {
  return columns.map(({ databaseName }) => `${tableName}.${databaseName}`);
}

/** As the check of entities against migrations has them; an extension may name its own otherwise. */
function indexesOf({ indices, uniques }: EntityMetadata): string[] {
  return [...indices, ...uniques].map(({ name }) => name!);
}

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const TAKEN = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f') AND relname = ANY($1)
  ORDER BY name`;

const THERE = `
  SELECT c.relname || '.' || a.attname AS name FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
  UNION ALL
  SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('i', 'I')`;
