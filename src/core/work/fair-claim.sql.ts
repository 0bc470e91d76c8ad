/** A table whose rows wait for a worker, as a claim sees it. `columns` are those that are needed of a row that is taken. */
interface Queue {
  table: string;
  columns: string[];
  /** Conditions on a row, as its indexes have them: it waits; a worker has it. */
  waits: string;
  taken: string;
  /** A column by which a workspace's rows go first, the lowest before the others. Without it: those that wait for longest. */
  rank?: string;
}

/**
 * The statement's parameters: whose claim it is, how many places are free, how many this worker gives to one workspace and to
 * one owner, and the workspaces of the places that it keeps.
 */
interface ClaimParameters {
  worker: string;
  room: string;
  share: string;
  kept?: string;
}

/** Of how many waiting rows at most the turns are compared, where somebody asks how many come before one. */
const MOST_COMPARED = 10_000;

/**
 * Common table expressions of a claim that is fair: `picked` are the rows to take, locked; `claim_summary` is one row
 * about them. The owner with the fewest taken rows goes first, of an owner's workspaces the one with the fewest, then the row
 * that has waited longest; within a workspace, one of a lower rank before it. A workspace gets no more than its share of this worker's places, or all of them where it is the
 * only one of the instance; nor do all workspaces of one owner together, unless the instance has no other owner.
 *
 * However long the queue of a workspace is, only its beginning is read: one step through the index for each workspace
 * that waits. Rows that another worker has locked are passed over; `missed` says that this left a place free.
 */
export function fairClaim(queue: Queue, { worker, room, share, kept }: ClaimParameters): string {
  const { table, columns, waits } = queue;
  return `${standingOf(queue, worker, kept)}, shares AS (
    SELECT CASE WHEN ${HAS_OTHER_WORKSPACES} THEN ${share}::bigint ELSE 1000000 END AS of_workspace,
      CASE WHEN ${HAS_OTHER_OWNERS} THEN ${share}::bigint ELSE 1000000 END AS of_owner
  ), waiting AS (
    SELECT s.*, of_workspace - here AS free, of_owner - owner_here AS owner_free
    FROM standing s, shares WHERE id IS NOT NULL
  ), nearest AS (
    SELECT * FROM (
      SELECT *, row_number() OVER (PARTITION BY owner ORDER BY executing, id) AS place FROM waiting
      WHERE free > 0 AND owner_free > 0) AS w
    WHERE place <= owner_free ORDER BY owner_executing + place, id LIMIT ${room}
  ), turns AS (
    SELECT n.workspace_id, w.id, n.owner_executing, n.owner_free, w.nth <= n.free AS fits,
      row_number() OVER (PARTITION BY n.owner, w.nth <= n.free ORDER BY n.executing + w.nth, w.id) AS place
    FROM nearest n CROSS JOIN LATERAL (${firstOf(queue, 'n', `LEAST(n.free, ${room}) + 1`)}) AS w
  ), chosen AS (
    SELECT workspace_id FROM turns WHERE fits AND place <= owner_free
    ORDER BY owner_executing + place, id LIMIT ${room}
  ), picked AS MATERIALIZED (
    SELECT p.* FROM (SELECT workspace_id, count(*) AS places FROM chosen GROUP BY workspace_id) AS c CROSS JOIN LATERAL (
      SELECT ${columns.join(', ')} FROM ${table} WHERE ${waits} AND workspace_id = c.workspace_id
      ORDER BY ${orderOf(queue)} LIMIT c.places FOR UPDATE SKIP LOCKED) AS p
  ), claim_summary AS (
    SELECT (SELECT count(*) FROM picked) < (SELECT count(*) FROM chosen) AS missed,
      (SELECT count(*) FROM chosen) < ${room}
        AND ((SELECT count(*) FROM waiting) > (SELECT count(*) FROM nearest)
          OR EXISTS (SELECT FROM turns WHERE NOT fits OR place > owner_free)) AS "passedOver"
  )`;
}

/**
 * The same for rows that are taken and done with in one transaction: `batch` are the next `room` ids, locked. All owners who
 * have something waiting get the same part of it, and so do the workspaces of each; `most` is that of the row's workspace.
 * However much of others waits, each batch has the first of every workspace, unless more wait than there is room for.
 */
export function fairBatch(queue: Pick<Queue, 'table' | 'waits'>, room: string): string {
  const { table, waits } = queue;
  return `${queuesOf(queue)}, owned AS (
    SELECT workspace_id, id, COALESCE(${ownerOf('workspace_id')}, workspace_id) AS owner FROM queues
  ), parts AS (
    SELECT workspace_id, GREATEST(1, ${room} / (
      count(*) OVER (PARTITION BY owner) * (SELECT count(DISTINCT owner) FROM owned))) AS most
    FROM owned ORDER BY id LIMIT ${room}
  ), batch AS MATERIALIZED (
    SELECT w.id, p.most FROM parts p CROSS JOIN LATERAL (
      SELECT id FROM ${table} WHERE ${waits} AND workspace_id = p.workspace_id
      ORDER BY id LIMIT p.most FOR UPDATE SKIP LOCKED) AS w LIMIT ${room}
  )`;
}

/**
 * Whether this worker can take a row that is written now: nothing waits, and neither its workspace nor the workspace's
 * owner has more than the share here by then.
 *
 * @param here whose the places of this worker are, as an array of workspaces with one entry for each, the row's own among them
 */
export function takenAtOnce(
  { table, waits }: Pick<Queue, 'table' | 'waits'>,
  { workspace, here, share }: { workspace: string; here: string; share: string },
): string {
  const places = `unnest(${here}::text[]) AS places(workspace_id)`;
  return `NOT EXISTS (SELECT FROM ${table} WHERE ${waits})
    AND (cardinality(${here}::text[]) <= ${share}::bigint OR (
      ((SELECT count(*) FROM ${places} WHERE workspace_id = ${workspace}) <= ${share}::bigint OR NOT ${HAS_OTHER_WORKSPACES})
      AND ((SELECT count(*) FROM ${places} WHERE ${ownerOf('workspace_id')} = ${ownerOf(workspace)}) <= ${share}::bigint
        OR NOT ${HAS_OTHER_OWNERS})))`;
}

/**
 * How many rows will be taken before the waiting row `row` (an alias outside), counted to 1,000: those of its owner whose turn
 * comes earlier, and those of others, as `fairClaim` has it.
 */
export function rowsBefore(queue: Omit<Queue, 'columns'>, row: string): string {
  const { table, waits } = queue;
  const own = orderOf(queue);
  const earlier = `(${own}) < (${own.replace(/\w+/g, `${row}.$&`)})`;
  return `(
    WITH RECURSIVE ${standingOf(queue, 'NULL')}, own AS (
      SELECT s.*, before, before + 1 + executing AS turn FROM standing s, (SELECT count(*) AS before FROM (
        SELECT FROM ${table} WHERE ${waits} AND workspace_id = ${row}.workspace_id AND ${earlier} LIMIT 1000) AS earlier) AS c
      WHERE s.workspace_id = ${row}.workspace_id
    ), own_place AS (
      SELECT owner, owner_executing, before + (SELECT count(*) FROM (
        SELECT FROM standing s CROSS JOIN LATERAL (${firstOf(queue, 's', 'own.turn - s.executing')}) AS w
        WHERE s.owner = own.owner AND s.id IS NOT NULL AND s.workspace_id <> own.workspace_id
          AND (s.executing + w.nth, w.id) < (own.turn, ${row}.id) LIMIT 1000) AS others) AS before
      FROM own
    ), own_turn AS (
      SELECT *, owner_executing + before + 1 AS turn FROM own_place
    )
    SELECT LEAST(1000, own.before + (SELECT count(*) FROM (
      SELECT id, owner_executing + row_number() OVER (PARTITION BY owner ORDER BY executing + nth, id) AS turn FROM (
        SELECT w.*, s.owner, s.executing, s.owner_executing
        FROM standing s CROSS JOIN LATERAL (${firstOf(queue, 's', 'own.turn - s.owner_executing')}) AS w
        WHERE s.owner <> own.owner AND s.id IS NOT NULL LIMIT ${MOST_COMPARED}) AS first) AS others
      WHERE (others.turn, others.id) < (own.turn, ${row}.id)))
    FROM own_turn own)`;
}

/** The first waiting rows of the workspace of `standing` (an alias outside), with the number of each in its queue. */
function firstOf(queue: Omit<Queue, 'columns'>, standing: string, most: string): string {
  const { table, waits } = queue;
  const order = orderOf(queue);
  return `SELECT id, row_number() OVER (ORDER BY ${order}) AS nth FROM (
        SELECT ${order} FROM ${table} WHERE ${waits} AND workspace_id = ${standing}.workspace_id
        ORDER BY ${order} LIMIT GREATEST(0, LEAST(1000, ${most}))) AS first`;
}

/**
 * `standing`: of each workspace that waits or has rows taken, its first waiting row (null: none), and how many places it and
 * its owner have, at all workers and at `worker`, where those that it keeps count too. One step through the index for each that
 * waits.
 */
function standingOf(queue: Omit<Queue, 'columns'>, worker: string, kept?: string): string {
  const { table, taken } = queue;
  const places = `SELECT workspace_id, worker_id FROM ${table} WHERE ${taken}`;
  const all = kept ? `${places} UNION ALL SELECT unnest(${kept}::text[]), ${worker}` : places;
  return `${queuesOf(queue)}, busy AS (
    SELECT workspace_id, count(*) AS executing, count(*) FILTER (WHERE worker_id = ${worker}) AS here
    FROM (${all}) AS places GROUP BY workspace_id
  ), standing AS (
    SELECT *, (sum(executing) OVER whose)::bigint AS owner_executing,
      (sum(here) OVER whose)::bigint AS owner_here FROM (
      SELECT workspace_id, q.id, COALESCE(b.executing, 0) AS executing, COALESCE(b.here, 0) AS here,
        ${ownerOf('workspace_id')} AS owner
      FROM queues q FULL JOIN busy b USING (workspace_id)) AS known
    WINDOW whose AS (PARTITION BY owner)
  )`;
}

/** The first row of each workspace that has any waiting, one step through the index each. */
function queuesOf(queue: Pick<Queue, 'table' | 'waits' | 'rank'>): string {
  const { table, waits } = queue;
  const order = `workspace_id, ${orderOf(queue)}`;
  return `
  queues AS (
    (SELECT workspace_id, id FROM ${table} WHERE ${waits} ORDER BY ${order} LIMIT 1)
    UNION ALL
    SELECT next.workspace_id, next.id FROM queues CROSS JOIN LATERAL (
      SELECT workspace_id, id FROM ${table} WHERE ${waits} AND workspace_id > queues.workspace_id
      ORDER BY ${order} LIMIT 1) AS next
  )`;
}

/** In which order a workspace's rows are taken. */
function orderOf({ rank }: Pick<Queue, 'rank'>): string {
  return rank ? `${rank}, id` : 'id';
}

/** Whom a workspace counts for: its owner, or itself where it has none. */
export function ownerOf(workspace: string): string {
  return `(SELECT COALESCE(owner_user_id, id) FROM workspaces WHERE workspaces.id = ${workspace})`;
}

/** Whom the workspace $1 counts for; what is none counts for itself. */
export const WHOM_IT_COUNTS_FOR = `SELECT COALESCE(${ownerOf('$1::text')}, $1::text) AS owner`;

const HAS_OTHER_WORKSPACES =
  '(SELECT count(*) > 1 FROM (SELECT FROM workspaces WHERE deleted_at IS NULL LIMIT 2) AS known)';

/** The two ends of an index, which are the same where there is one owner. */
const HAS_OTHER_OWNERS =
  '(SELECT min(owner_user_id) IS DISTINCT FROM max(owner_user_id) FROM workspaces WHERE deleted_at IS NULL)';
