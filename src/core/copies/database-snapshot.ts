import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

import { assertWholeCopy, keyOfLock, RESTORED_COPY } from '../database/index.js';
import { connected, quoted, rowsOf } from './connected.js';
import type {
  CarriedOut,
  DatabaseContent,
  MigrationsOfExtension,
  SequenceState,
  TableShape,
} from './database-content.js';

interface SnapshotOptions {
  /** Tables of what is only of use while the processes live that wrote it. */
  without: readonly string[];
  /** A lock as `Database.tryLock` takes them, which is held from before the snapshot until it is closed. */
  holding?: string;
}

/** What a database holds at one moment, while others go on changing it. */
export class DatabaseSnapshot implements DatabaseContent {
  private constructor(
    private readonly client: pg.Client,
    readonly takenAt: Date,
    readonly carriedOut: CarriedOut,
    readonly tables: readonly TableShape[],
    readonly sequences: readonly SequenceState[],
  ) {}

  /** @throws Error in words where there is nothing of ours, or the tables are being changed */
  static async open(url: string, { without, holding }: SnapshotOptions): Promise<DatabaseSnapshot> {
    const client = await connected(url);
    try {
      await assertWholeCopy((statement) => rowsOf(client, statement));
      if (holding !== undefined) await client.query(HOLD, [keyOfLock(holding)]);
      const tables = await tablesOf(client, without);
      if (!tables.some(({ name }) => name === 'migrations')) {
        throw new Error('There is nothing of Gatehouse in this database.');
      }
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      // Nobody changes a table until its rows are read. The snapshot is of the first statement after this one.
      await client.query(
        `LOCK TABLE ${tables.map(({ name }) => quoted(name)).join(', ')} IN ACCESS SHARE MODE`,
      );
      if (JSON.stringify(await tablesOf(client, without)) !== JSON.stringify(tables)) {
        throw new Error(
          'The tables are being changed just now, as by an upgrade. Try again when that is done.',
        );
      }
      const [now] = await rowsOf<{ now: Date }>(client, 'SELECT now() AS now');
      const sequences = await rowsOf<SequenceState>(client, SEQUENCES);
      return new DatabaseSnapshot(client, now!.now, await carriedOut(client, tables), tables, sequences);
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  async copy({ name, columns }: TableShape, into: Writable): Promise<number> {
    const rows = this.client.query(
      copyTo(`COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) TO STDOUT`),
    );
    await pipeline(rows, into);
    return rows.rowCount;
  }

  /** The first column of all rows. */
  async column(statement: string): Promise<string[]> {
    const { rows } = await this.client.query<[string]>({ text: statement, rowMode: 'array' });
    return rows.map(([value]) => value);
  }

  /** All is read: what was removed meanwhile may be cleaned up by the database. */
  async release(): Promise<void> {
    await this.client.query('COMMIT');
  }

  /** @throws Error where what was held was lost meanwhile */
  async assertHeld(): Promise<void> {
    await this.client.query('SELECT 1');
  }

  /** Gives up what was held, and what is being read. */
  async close(): Promise<void> {
    await this.client.end();
  }
}

function tablesOf(client: pg.Client, without: readonly string[]): Promise<TableShape[]> {
  return rowsOf<TableShape>(client, TABLES, [[...without, RESTORED_COPY]]);
}

async function carriedOut(client: pg.Client, tables: readonly TableShape[]): Promise<CarriedOut> {
  const migrations = await rowsOf<{ name: string }>(client, 'SELECT name FROM migrations ORDER BY id');
  const hasExtensions = tables.some(({ name }) => name === 'extension_migrations');
  const extensions = hasExtensions ? await rowsOf<MigrationsOfExtension>(client, OF_EXTENSIONS) : [];
  return { migrations: migrations.map(({ name }) => name), extensions };
}

const HOLD = 'SELECT pg_advisory_lock(hashtextextended($1, 0))';

/** Without what belongs to an extension of PostgreSQL, and what a crash of the server empties. */
const TABLES = `
  SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
    AND c.relname <> ALL($1) AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  GROUP BY c.relname ORDER BY c.relname`;

const SEQUENCES = `
  SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = current_schema()
  ORDER BY sequencename`;

const OF_EXTENSIONS = `
  SELECT extension, array_agg(name ORDER BY name) AS migrations FROM extension_migrations
  GROUP BY extension ORDER BY extension`;
