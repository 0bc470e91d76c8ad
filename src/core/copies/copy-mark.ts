import type pg from 'pg';

import {
  assertWholeCopy,
  type CopyState,
  copyState,
  RESTORED_COPY,
  TRY_LOCK_TABLES,
} from '../database/index.js';
import { rowsOf, withConnection } from './connected.js';

/**
 * Until the connection ends, no start changes tables and no other copy is made.
 *
 * @throws Error where one is at it
 */
export async function lockTables(client: pg.Client): Promise<void> {
  const [lock] = await rowsOf<{ locked: boolean }>(client, TRY_LOCK_TABLES);
  if (lock!.locked) return;
  throw new Error(
    'A start, an upgrade or another copy is at work on this database. Try again when that has ended.',
  );
}

/**
 * From here on the database is the beginning of a copy. What an earlier attempt left is dropped.
 *
 * @throws Error where it has tables of somebody else's
 */
export async function beginCopy(client: pg.Client): Promise<void> {
  if ((await stateOf(client)) === 'partial') {
    for (const { statement } of await rowsOf<{ statement: string }>(client, LEFT_BEHIND))
      await client.query(statement);
  }
  const [taken] = await rowsOf<{ count: number }>(client, TAKEN, [RESTORED_COPY]);
  if (taken!.count > 0) {
    throw new Error(`The database is not empty: it has ${taken!.count} tables. A copy takes an empty one.`);
  }
  await client.query(MAKE);
  await client.query(`DELETE FROM ${RESTORED_COPY}`);
  await client.query(`INSERT INTO ${RESTORED_COPY} VALUES (now(), NULL)`);
}

/** In the transaction that completes it. */
export async function finishCopy(client: pg.Client): Promise<void> {
  await client.query(`UPDATE ${RESTORED_COPY} SET finished_at = now()`);
}

/**
 * In the transaction that completes a copy: it goes on in the place of its original, which is held from before that. At no
 * instant both do what they say.
 */
export async function takeOver(copy: pg.Client, original: pg.Client): Promise<void> {
  await original.query(MARK_AS_HELD);
  await copy.query(`DROP TABLE ${RESTORED_COPY}`);
}

/** Has a whole copy do what it says. @returns what it was before */
export function resumeCopy(url: string): Promise<CopyState> {
  return withConnection(url, async (client) => {
    await assertWholeCopy((statement) => rowsOf(client, statement));
    const state = await stateOf(client);
    await client.query(`DROP TABLE IF EXISTS ${RESTORED_COPY}`);
    return state;
  });
}

export function stateOf(client: pg.Client): Promise<CopyState> {
  return copyState((statement) => rowsOf(client, statement));
}

const MAKE = `CREATE TABLE IF NOT EXISTS ${RESTORED_COPY} (begun_at timestamptz NOT NULL, finished_at timestamptz)`;

/** In one statement: a mark without an end would say that the original itself is not whole. */
const MARK_AS_HELD = `CREATE TABLE ${RESTORED_COPY} AS SELECT now() AS begun_at, now() AS finished_at`;

const TAKEN = `
  SELECT count(*)::int AS count FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relname <> $1
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`;

/** The mark itself stays. */
const LEFT_BEHIND = `
  SELECT format('DROP TABLE IF EXISTS %s CASCADE', c.oid::regclass) AS statement FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '${RESTORED_COPY}'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  UNION ALL
  SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure) FROM pg_proc p
  WHERE p.pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`;
