/** A table whose rows wait for a worker, as a claim sees it. `columns` are those that are needed of a row that is taken. */
export interface Queue {
  table: string;
  columns: string[];
  /** Conditions on a row, as its indexes have them: it waits; a worker has it. */
  waits: string;
  taken: string;
}

/** The statement's parameters: whose claim it is, how many places are free, how many one workspace may have at this worker. */
export interface ClaimParameters {
  worker: string;
  room: string;
  share: string;
}

/**
 * Common table expressions of a claim that is fair: `picked` are the rows to take, locked; `claim_summary` is one row
 * about them. The workspace with the fewest taken rows goes first, then the row that has waited longest. A workspace gets no
 * more than its share of this worker's places, or all of them where it is the only one of the instance.
 *
 * However long the queue of a workspace is, only its beginning is read: one step through the index for each workspace
 * that waits. Rows that another worker has locked are passed over; `missed` says that this left a place free.
 */
export function fairClaim(queue: Queue, { worker, room, share }: ClaimParameters): string {
  const { table, columns, waits, taken } = queue;
  return `${queuesOf(queue)}, busy AS (
    SELECT workspace_id, count(*) AS executing, count(*) FILTER (WHERE worker_id = ${worker}) AS here
    FROM ${table} WHERE ${taken} GROUP BY workspace_id
  ), standing AS (
    SELECT q.workspace_id, q.id, COALESCE(b.executing, 0) AS executing,
      ${mostOf(share)} - COALESCE(b.here, 0) AS free
    FROM queues q LEFT JOIN busy b USING (workspace_id)
  ), turns AS (
    SELECT s.workspace_id, s.free, s.executing + w.nth AS turn, w.id, w.nth
    FROM (SELECT * FROM standing WHERE free > 0 ORDER BY executing, id LIMIT ${room}) AS s CROSS JOIN LATERAL (
      SELECT id, row_number() OVER (ORDER BY id) AS nth FROM (
        SELECT id FROM ${table} WHERE ${waits} AND workspace_id = s.workspace_id
        ORDER BY id LIMIT LEAST(s.free, ${room}) + 1) AS first) AS w
  ), chosen AS (
    SELECT workspace_id FROM turns WHERE nth <= free ORDER BY turn, id LIMIT ${room}
  ), picked AS MATERIALIZED (
    SELECT p.* FROM (SELECT workspace_id, count(*) AS places FROM chosen GROUP BY workspace_id) AS c CROSS JOIN LATERAL (
      SELECT ${columns.join(', ')} FROM ${table} WHERE ${waits} AND workspace_id = c.workspace_id
      ORDER BY id LIMIT c.places FOR UPDATE SKIP LOCKED) AS p
  ), claim_summary AS (
    SELECT (SELECT count(*) FROM picked) < (SELECT count(*) FROM chosen) AS missed,
      (SELECT count(*) FROM chosen) < ${room}
        AND (EXISTS (SELECT FROM standing WHERE free <= 0) OR EXISTS (SELECT FROM turns WHERE nth > free)) AS "passedOver"
  )`;
}

/**
 * Whether a row that is written now can be taken by this worker at once: nothing waits, and its workspace has less than its share here.
 *
 * @param here how many places of this worker the workspace has
 */
export function takenAtOnce(
  { table, waits }: Pick<Queue, 'table' | 'waits'>,
  here: string,
  share: string,
): string {
  return `NOT EXISTS (SELECT FROM ${table} WHERE ${waits}) AND ${here}::bigint < ${mostOf(share)}`;
}

/** How many places of this worker one workspace may have. */
function mostOf(share: string): string {
  return `(SELECT CASE WHEN count(*) > 1 THEN ${share}::bigint ELSE 1000000 END
       FROM (SELECT FROM workspaces WHERE deleted_at IS NULL LIMIT 2) AS known)`;
}

/**
 * How many rows will be taken before the waiting row `row` (an alias outside), counted to 1,000: those of its workspace that
 * have waited longer, and those of others whose turn comes earlier, as `fairClaim` has it.
 */
export function rowsBefore(queue: Omit<Queue, 'columns'>, row: string): string {
  const { table, waits, taken } = queue;
  return `(
    WITH RECURSIVE ${queuesOf(queue)}, busy AS (
      SELECT workspace_id, count(*) AS executing FROM ${table} WHERE ${taken} GROUP BY workspace_id
    ), own AS (
      SELECT before, before + 1 + COALESCE((SELECT executing FROM busy WHERE workspace_id = ${row}.workspace_id), 0) AS turn
      FROM (SELECT count(*) AS before FROM (
        SELECT FROM ${table} WHERE ${waits} AND workspace_id = ${row}.workspace_id AND id < ${row}.id LIMIT 1000) AS earlier) AS c
    )
    SELECT LEAST(1000, own.before + (SELECT count(*) FROM (
      SELECT FROM queues q LEFT JOIN busy b USING (workspace_id) CROSS JOIN LATERAL (
        SELECT id, COALESCE(b.executing, 0) + row_number() OVER (ORDER BY id) AS turn FROM (
          SELECT id FROM ${table} WHERE ${waits} AND workspace_id = q.workspace_id
          ORDER BY id LIMIT GREATEST(0, LEAST(1000, own.turn - COALESCE(b.executing, 0)))) AS first) AS w
      WHERE q.workspace_id <> ${row}.workspace_id AND (w.turn, w.id) < (own.turn, ${row}.id) LIMIT 1000) AS others))
    FROM own)`;
}

/** The first row of each workspace that has any waiting, one step through the index each. */
function queuesOf({ table, waits }: Omit<Queue, 'columns'>): string {
  return `
  queues AS (
    (SELECT workspace_id, id FROM ${table} WHERE ${waits} ORDER BY workspace_id, id LIMIT 1)
    UNION ALL
    SELECT next.workspace_id, next.id FROM queues CROSS JOIN LATERAL (
      SELECT workspace_id, id FROM ${table} WHERE ${waits} AND workspace_id > queues.workspace_id
      ORDER BY workspace_id, id LIMIT 1) AS next
  )`;
}
