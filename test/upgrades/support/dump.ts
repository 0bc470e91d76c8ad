import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';

import pg from 'pg';
import { DataSource } from 'typeorm';

import { VERSION } from '../../../src/core/config/index.js';
import { ConnectionOptions } from '../../../src/core/database/index.js';
import { dataSourceOptions } from '../../../src/core/database/data-source.js';

/** Where a service keeps everything. */
export interface Place {
  databaseUrl: string;
  dataDirectory: string;
}

interface TableDump {
  name: string;
  columns: { name: string; type: string }[];
  /** Each value as PostgreSQL writes it. */
  rows: (string | null)[][];
}

/** All that a release has left behind. */
export interface Dump {
  version: string;
  /** What it was built of. */
  commit: string;
  takenAt: string;
  /** Landed ones never change, so they make the tables again. */
  migrations: string[];
  tables: TableDump[];
  /** In base64, by their paths in the data directory. */
  files: Record<string, string>;
}

const FOLDER = join(import.meta.dirname, '..');
const ENDING = '.json.gz';
const KEPT = /^(files\/|master\.key$|first-run\.json$)/;
/** They are the program's affair: what is done, and who does it just now. */
const NOT_DATA = ['migrations', 'instances', 'lease_clock'];

/** The releases whose data is kept beside this folder. */
export async function keptDumps(): Promise<Dump[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(ENDING)).sort();
  return Promise.all(
    names.map(async (name) => JSON.parse(gunzipSync(await readFile(join(FOLDER, name))).toString()) as Dump),
  );
}

/** @returns the file's path */
export async function keepDump(dump: Dump): Promise<string> {
  const path = join(FOLDER, `${dump.version}${ENDING}`);
  await writeFile(path, gzipSync(JSON.stringify(dump), { level: 9 }));
  return path;
}

/** Of a service that has stopped. */
export async function takeDump({ databaseUrl, dataDirectory }: Place): Promise<Dump> {
  const { stdout } = await promisify(execFile)('git', ['rev-parse', 'HEAD']);
  return connected(databaseUrl, async (client) => ({
    version: VERSION,
    commit: stdout.trim(),
    takenAt: new Date().toISOString(),
    migrations: (await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id')).rows.map(
      ({ name }) => name,
    ),
    tables: await tablesOf(client),
    files: await filesBelow(dataDirectory),
  }));
}

/** Makes the place as it was, with every moment as long ago as it was then: what is kept for some days is still kept. */
export async function restoreDump(dump: Dump, { databaseUrl, dataDirectory }: Place): Promise<void> {
  for (const [path, content] of Object.entries(dump.files)) {
    await mkdir(dirname(join(dataDirectory, path)), { recursive: true, mode: 0o700 });
    await writeFile(join(dataDirectory, path), Buffer.from(content, 'base64'), { mode: 0o600 });
  }
  await makeTables(dump, databaseUrl);
  await connected(databaseUrl, async (client) => {
    const { rows: keys } = await client.query<{ drop: string; add: string }>(FOREIGN_KEYS);
    for (const { drop } of keys) await client.query(drop);
    for (const table of dump.tables) await load(client, table, Date.parse(dump.takenAt));
    for (const { add } of keys) await client.query(add);
  });
}

/** How many rows each table has. */
export async function countRows(databaseUrl: string): Promise<Record<string, number>> {
  const tables = await connected(databaseUrl, tablesOf);
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows.length]));
}

export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function makeTables({ migrations, version }: Dump, url: string): Promise<void> {
  const options = await dataSourceOptions(new ConnectionOptions(url, 2));
  const all = options.migrations as (new () => { name: string })[];
  const ours = all.filter((migration) => migrations.includes(new migration().name));
  if (ours.length < migrations.length) throw new Error(`A migration of ${version} is gone.`);
  const source = await new DataSource({ ...options, migrations: ours } as typeof options).initialize();
  await source.runMigrations({ transaction: 'each' });
  await source.destroy();
}

async function tablesOf(client: pg.Client): Promise<TableDump[]> {
  const { rows: tables } = await client.query<Omit<TableDump, 'rows'>>(TABLES, [NOT_DATA]);
  const dumps: TableDump[] = [];
  for (const { name, columns } of tables) {
    const values = columns.map((column) => `"${column.name}"::text`).join(', ');
    const { rows } = await client.query<(string | null)[]>({
      text: `SELECT ${values} FROM "${name}"`,
      rowMode: 'array',
    });
    dumps.push({ name, columns, rows });
  }
  return dumps;
}

async function load(client: pg.Client, { name, columns, rows }: TableDump, takenAt: number): Promise<void> {
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  const later = `${Date.now() - takenAt} milliseconds`;
  const values = columns.map(({ type }, at) => `$${at + 1}::${type}${shift(type, later)}`).join(', ');
  await client.query(`ALTER TABLE "${name}" DISABLE TRIGGER USER`);
  // What a migration writes into its table is in the dump as well.
  await client.query(`DELETE FROM "${name}"`);
  for (const row of rows) {
    await client.query(`INSERT INTO "${name}" (${names}) OVERRIDING SYSTEM VALUE VALUES (${values})`, row);
  }
  await client.query(`ALTER TABLE "${name}" ENABLE TRIGGER USER`);
  for (const column of columns.filter(({ type }) => /int/.test(type))) {
    await client.query(
      `SELECT setval(sequence, (SELECT max("${column.name}") FROM "${name}"))
       FROM pg_get_serial_sequence($1, $2) AS sequence WHERE sequence IS NOT NULL`,
      [`"${name}"`, column.name],
    );
  }
}

function shift(type: string, later: string): string {
  if (type === 'timestamp with time zone') return ` + interval '${later}'`;
  return type === 'date' ? ` + (extract(epoch FROM interval '${later}') / 86400)::int` : '';
}

async function filesBelow(directory: string): Promise<Record<string, string>> {
  const names = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((path) => KEPT.test(path));
  const contents = await Promise.all(files.map((path) => readFile(join(directory, path), 'base64')));
  return Object.fromEntries(files.map((path, at) => [path, contents[at]!]));
}

/** Generated columns make themselves. */
const TABLES = `
  SELECT c.relname AS name,
    json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum) AS columns
  FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relname = ANY($1)
  GROUP BY c.relname ORDER BY c.relname`;

/** A table is loaded in whatever order, so they come afterwards. */
const FOREIGN_KEYS = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`;
