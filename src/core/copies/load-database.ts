import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { DataSource } from 'typeorm';

import { ConnectionOptions, dataSourceOptions, migrateExtension } from '../database/index.js';
import type { LoadedExtension } from '../extensions/index.js';
import { quoted, rowsOf, withConnection } from './connected.js';
import { beginCopy, finishCopy, lockTables, takeOver } from './copy-mark.js';
import type { CarriedOut, DatabaseContent, SequenceState, TableShape } from './database-content.js';

interface LoadOptions {
  extensions: readonly LoadedExtension[];
  /** What else the copy needs before it is whole. The database says that it is not, until all of it is there. */
  before?: () => Promise<void>;
  /** The original, where the copy takes its place. */
  insteadOf?: pg.Client | undefined;
}

/**
 * Makes an empty database a copy of `content`, which does nothing by itself until it is told to, unless it takes the place of
 * its original. All of its rows are there or none, and the number of each table's is compared.
 *
 * @returns how many rows there are
 * @throws Error in words where it is not empty, or the program cannot make the tables
 */
export function loadDatabase(
  url: string,
  content: DatabaseContent,
  { extensions, before, insteadOf }: LoadOptions,
): Promise<number> {
  return withConnection(url, async (client) => {
    await lockTables(client);
    await beginCopy(client);
    await makeTables(url, content.carriedOut, extensions);
    await assertTablesAreThere(client, content.tables);
    await before?.();
    await client.query('BEGIN');
    const rows = await withoutChecks(client, () => fill(client, content));
    for (const sequence of content.sequences) await setSequence(client, sequence);
    await (insteadOf ? takeOver(client, insteadOf) : finishCopy(client));
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return rows;
  });
}

/** As the migrations that were carried out there make them; newer ones of this program are left to a start. */
async function makeTables(
  url: string,
  done: CarriedOut,
  extensions: readonly LoadedExtension[],
): Promise<void> {
  const options = await dataSourceOptions(new ConnectionOptions(url, 2), extensions);
  const all = options.migrations as (new () => { name: string })[];
  const known = all.filter((migration) => done.migrations.includes(new migration().name));
  if (known.length < done.migrations.length) {
    throw new Error('This is of a newer Gatehouse: carry it out with that version.');
  }
  const source = await new DataSource({ ...options, migrations: known }).initialize();
  try {
    await source.runMigrations({ transaction: 'each' });
    for (const { extension, migrations } of done.extensions) {
      await migrateExtension(source, asItWas(extension, migrations, extensions), { again: true });
    }
  } finally {
    await source.destroy();
  }
}

function asItWas(
  name: string,
  done: readonly string[],
  extensions: readonly LoadedExtension[],
): LoadedExtension {
  const extension = extensions.find((loaded) => loaded.name === name);
  const migrations = extension?.migrations.filter((migration) => done.includes(migration.name)) ?? [];
  if (!extension || migrations.length < done.length) {
    throw new Error(
      `This has tables of the extension ${name}: name it, in that version, in GATEHOUSE_EXTENSIONS.`,
    );
  }
  return { ...extension, migrations };
}

async function assertTablesAreThere(client: pg.Client, tables: readonly TableShape[]): Promise<void> {
  for (const { name, columns } of tables) {
    const [there] = await rowsOf<{ names: string[] | null }>(client, COLUMNS, [name]);
    const missing = columns.filter((column) => !there?.names?.includes(column));
    if (missing.length === 0) continue;
    const what = there?.names ? missing.map((column) => `${name}.${column}`).join(', ') : name;
    throw new Error(
      `No migration makes ${what}: it was added by hand, or by another program. Take it out of the database first.`,
    );
  }
}

async function fill(client: pg.Client, content: DatabaseContent): Promise<number> {
  let total = 0;
  for (const table of content.tables) {
    const { name, columns } = table;
    await emptied(client, name);
    const target = client.query(
      copyFrom(`COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) FROM STDIN`),
    );
    const rows = new PassThrough();
    const [expected] = await Promise.all([content.copy(table, rows), pipeline(rows, target)]);
    if (target.rowCount !== expected) {
      throw new Error(`Of the table ${name} there are ${target.rowCount} rows instead of ${expected}.`);
    }
    total += expected;
  }
  return total;
}

/** What migrations put there is in the copy as well. Others refuse to be emptied, and are empty. */
async function emptied(client: pg.Client, name: string): Promise<void> {
  const [found] = await rowsOf<{ some: boolean }>(
    client,
    `SELECT EXISTS (SELECT FROM ${quoted(name)}) AS some`,
  );
  if (found!.some) await client.query(`DELETE FROM ${quoted(name)}`);
}

/** References between tables are checked once all are filled, and what counts new rows does not count these. */
async function withoutChecks<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  const references = await rowsOf<Reference>(client, REFERENCES);
  const triggers = await rowsOf<Trigger>(client, TRIGGERS);
  for (const { table, name } of references)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quoted(name)}`);
  for (const { table, name } of triggers)
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${quoted(name)}`);
  const result = await work();
  for (const { table, name, definition } of references) {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${definition}`);
  }
  for (const { table, name, always } of triggers) {
    await client.query(`ALTER TABLE ${table} ENABLE ${always ? 'ALWAYS ' : ''}TRIGGER ${quoted(name)}`);
  }
  return result;
}

async function setSequence(client: pg.Client, { name, value }: SequenceState): Promise<void> {
  if (value === null) return;
  await client.query('SELECT setval($1::regclass, $2::bigint)', [quoted(name), value]);
}

interface Reference {
  table: string;
  name: string;
  definition: string;
}

interface Trigger {
  table: string;
  name: string;
  always: boolean;
}

const COLUMNS = `
  SELECT array_agg(attname::text) AS names FROM pg_attribute
  WHERE attrelid = to_regclass(quote_ident($1)) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`;

const REFERENCES = `
  SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conparentid = 0`;

/** Those of inserted rows (4 in `tgtype`) that are on. */
const TRIGGERS = `
  SELECT t.tgrelid::regclass::text AS table, t.tgname AS name, t.tgenabled = 'A' AS always
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND t.tgtype & 4 <> 0 AND t.tgenabled IN ('O', 'A')
    AND c.relnamespace = current_schema()::regnamespace`;
