import type { MigrationInterface, QueryRunner } from 'typeorm';

interface Table {
  oid: string;
  name: string;
  read: number;
  changed: number;
  locks: string[];
}

/**
 * Their rows are made by hand, one after the other, or go once they were sent: in the largest instance all are read within
 * milliseconds. A table that runs, events, files or sign-ins fill is none of these.
 */
const SMALL = new Set(['agents', 'invitations', 'mails']);

/**
 * Carries out a migration as a start does, and looks at what it does with the tables that are there before.
 *
 * @returns what takes the longer the more rows a table has, while others wait; a statement each
 */
export async function heldUpBy(migration: MigrationInterface, runner: QueryRunner): Promise<string[]> {
  const before = await tables(runner);
  if (migration.transaction !== false) {
    return observed(runner, before, () => migration.up(runner), { mayChange: false });
  }
  const found: string[] = [];
  const each = new Proxy(runner, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name) as unknown;
      return async (statement: string, parameters?: unknown[]) => {
        let result: unknown;
        const carryOut = async (): Promise<void> => {
          result = await target.query(statement, parameters);
        };
        // PostgreSQL refuses it in a transaction. It reads for as long as it likes, and has nobody wait.
        if (/\bCONCURRENTLY\b/i.test(statement)) await carryOut();
        else found.push(...(await observed(runner, before, carryOut, { mayChange: true })));
        return result;
      };
    },
  });
  await migration.up(each);
  return found;
}

/** @param options mayChange: rows, as in batches that are a transaction each */
async function observed(
  runner: QueryRunner,
  before: Table[],
  work: () => Promise<void>,
  { mayChange }: { mayChange: boolean },
): Promise<string[]> {
  await runner.startTransaction();
  // What came earlier on this connection may not be counted elsewhere yet.
  const counted = new Map((await tables(runner)).map((table) => [table.oid, table]));
  await work();
  const found = (await tables(runner)).flatMap(({ oid, name, read, changed, locks }) => {
    if (SMALL.has(name) || !before.some((table) => table.oid === oid)) return [];
    const earlier = counted.get(oid)!;
    return [
      ...(locks.length > 0 && read > earlier.read
        ? [`rows of ${name} are read under ${locks.join(', ')}`]
        : []),
      ...(!mayChange && changed !== earlier.changed ? [`rows of ${name} are changed`] : []),
    ];
  });
  await runner.commitTransaction();
  return found;
}

const tables = (runner: QueryRunner): Promise<Table[]> => runner.query(TABLES) as Promise<Table[]>;

/** The weaker locks keep nobody from reading or writing. */
const TABLES = `
  SELECT s.relid::text AS oid, s.relname AS name, (s.seq_tup_read + coalesce(s.idx_tup_fetch, 0))::int AS read,
    (s.n_tup_upd + s.n_tup_del)::int AS changed,
    ARRAY(SELECT l.mode FROM pg_locks l WHERE l.relation = s.relid AND l.pid = pg_backend_pid() AND l.mode IN
      ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock') ORDER BY 1) AS locks
  FROM pg_stat_xact_user_tables s WHERE s.schemaname = current_schema()`;
