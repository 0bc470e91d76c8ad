import type pg from 'pg';

import { assertWholeCopy, type CopyState, copyState, RESTORED_COPY } from '../database/index.js';
import { rowsOf, withConnection } from './connected.js';

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
 * Has a copy go on in the place of its original, which is held from then on. The one before the other: at no instant both do
 * what they say. A copy of what was held itself stays so.
 */
export async function handOver(original: string, copy: string): Promise<void> {
  const wasHeld = await withConnection(original, async (client) => {
    if ((await stateOf(client)) === 'held') return true;
    await client.query(MAKE);
    await client.query(`INSERT INTO ${RESTORED_COPY} VALUES (now(), now())`);
    return false;
  });
  if (!wasHeld) await resumeCopy(copy);
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

function stateOf(client: pg.Client): Promise<CopyState> {
  return copyState((statement) => rowsOf(client, statement));
}

const MAKE = `CREATE TABLE IF NOT EXISTS ${RESTORED_COPY} (begun_at timestamptz NOT NULL, finished_at timestamptz)`;

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
