import { named } from '../../core/database/index.js';
import { insertRunEvent } from '../insert-run-event.sql.js';
import type { EndReason, RunPhase } from '../run.status.js';
import { END_WORDS } from './run-turn.rules.js';

/** Of a row of `runs` that was held, delayed or retrying, and waits for nothing of that any more. */
export const NEXT_PHASE = `CASE WHEN concurrency_key IS NULL THEN 'queued' ELSE 'waiting' END`;

/** Of a row of `runs` that a worker had and has not begun. */
export const AGAIN = `CASE WHEN queue IS NULL THEN 'queued' ELSE 'waiting' END`;

/** What a run says that was ended for its `end_reason`. */
export const END_ERROR = `CASE end_reason ${Object.entries(END_WORDS)
  .map(([reason, words]) => `WHEN '${reason}' THEN '${words}'`)
  .join(' ')} END`;

/** Waits, and has never begun: only then does it expire. */
export const MAY_EXPIRE = `expires_at <= now() AND attempt = 1 AND phase IN ('held', 'delayed', 'waiting', 'queued')`;

/** Has a place of its key, whether a worker has it yet or not. */
export const GOING = ['queued', 'starting', 'executing'] as const satisfies RunPhase[];
export const IS_GOING = `phase IN ('${GOING.join("', '")}')`;

export interface Due {
  retries: boolean;
  starts: boolean;
  expiries: boolean;
  turns: boolean;
  tagged: boolean;
}

/** SQL: asked every second by every process, so it is one statement of a few steps through indexes. */
export const WHAT_IS_DUE = `
  SELECT EXISTS (SELECT FROM runs WHERE phase = 'retrying' AND next_attempt_at <= now()) AS retries,
    EXISTS (SELECT FROM runs WHERE phase = 'delayed' AND start_at <= now()) AS starts,
    EXISTS (SELECT FROM runs WHERE ${MAY_EXPIRE}) AS expiries,
    EXISTS (SELECT FROM runs WHERE phase = 'waiting') AS turns,
    EXISTS (SELECT FROM runs WHERE phase = 'queued' AND runs_on IS NOT NULL) AS tagged`;

/** SQL: many runs that no worker has, each with an event of its own; those that somebody has locked are left for later. */
export const END = named<{ ids: string[]; eventIds: string[]; reason: EndReason | null; error: string }>(`
  WITH mine AS MATERIALIZED (
    SELECT r.id, o.event_id FROM runs r JOIN unnest(:ids::text[], :eventIds::text[]) AS o(run_id, event_id) ON o.run_id = r.id
    WHERE r.phase IN ('held', 'delayed', 'retrying', 'waiting', 'queued')
    ORDER BY r.id FOR UPDATE OF r SKIP LOCKED
  ), ended AS (
    UPDATE runs SET status = 'cancelled', phase = 'finished', finished_at = now(), error = :error::text, end_reason = :reason::text
    FROM mine WHERE runs.id = mine.id
    RETURNING runs.*, mine.event_id
  ), told AS (${insertRunEvent('ended', 'r.event_id')}
  )
  SELECT concurrency_key AS "concurrencyKey", pg_notify('gatehouse', 'run:' || id) FROM ended`);

/** Without a limit, so many of a queue have a place and no worker yet: what is paused then begins no more. */
export const MOST_AHEAD = 1000;

/** Of a queue `q`: how many more of its runs can have a place. */
export const FREE_IN_QUEUE = `CASE WHEN q.paused THEN 0 WHEN q.run_limit IS NULL THEN ${MOST_AHEAD} - ${countInQueue(`phase = 'queued'`)}
  ELSE q.run_limit - ${countInQueue(IS_GOING)} END`;

function countInQueue(condition: string): string {
  return `(SELECT count(*)::int FROM runs g WHERE g.workspace_id = q.workspace_id AND g.queue = q.name AND g.${condition})`;
}

export interface WaitingKey {
  workspaceId: string;
  key: string;
  /** The queue that its script is in. */
  queue: string | null;
  limit: number | null;
  /** Whether more wait than may, of a key whose runs do not. */
  isOwn: boolean;
  /** Whether a place is free, of the key and of its queue. */
  isFree: boolean;
}

/** The first key after one, of the same workspace or a later one. */
const nextKey = (workspace: string, key: string): string => `(
  SELECT r.workspace_id, r.concurrency_key, r.script_id, r.version_id FROM runs r
  WHERE r.phase = 'waiting' AND (r.workspace_id, r.concurrency_key) > (${workspace}, ${key})
  ORDER BY r.workspace_id, r.concurrency_key, r.rank, r.id LIMIT 1)`;

/**
 * SQL: the keys of which runs wait, one step through the index for each. A look without locks, so that only those are locked
 * of which there may be something to do. $1 and $2 the workspace and key after which to go on, $3 how many. $4 a queue of the
 * workspace: the keys of its scripts, whose ids they begin with.
 */
export const WAITING_KEYS = `
  WITH RECURSIVE starts AS (
    SELECT $1::text AS workspace_id, $2::text AS after, NULL::text AS ends WHERE $4::text IS NULL
    UNION ALL
    SELECT s.workspace_id, s.id || '/', s.id || '0' FROM scripts s WHERE s.workspace_id = $1 AND s.queue = $4
  ), keys AS (
    SELECT next.*, starts.ends, 1 AS nth FROM starts CROSS JOIN LATERAL ${nextKey('starts.workspace_id', 'starts.after')} AS next
    WHERE starts.ends IS NULL OR (next.workspace_id = starts.workspace_id AND next.concurrency_key < starts.ends)
    UNION ALL
    SELECT next.*, keys.ends, keys.nth + 1 FROM keys CROSS JOIN LATERAL ${nextKey('keys.workspace_id', 'keys.concurrency_key')} AS next
    WHERE keys.nth < $3 AND (keys.ends IS NULL OR (next.workspace_id = keys.workspace_id AND next.concurrency_key < keys.ends))
  ), theirs AS MATERIALIZED (
    SELECT k.*, s.queue, v.concurrency ->> 'onLimit' <> 'queue' AS own, (v.concurrency ->> 'limit')::int AS most,
      (SELECT count(*) FROM runs r WHERE r.concurrency_key = k.concurrency_key AND r.${IS_GOING}) AS going
    FROM keys k JOIN script_versions v ON v.id = k.version_id JOIN scripts s ON s.id = k.script_id
  ), full_queues AS MATERIALIZED (
    SELECT q.workspace_id, q.name FROM (SELECT DISTINCT workspace_id, queue FROM theirs) AS t
      JOIN queues q ON q.workspace_id = t.workspace_id AND q.name = t.queue
    WHERE ${FREE_IN_QUEUE} <= 0
  )
  SELECT t.workspace_id AS "workspaceId", t.concurrency_key AS key, t.queue, t.most AS "limit",
    COALESCE(t.own AND t.going + (SELECT count(*) FROM (SELECT FROM runs r WHERE r.phase = 'waiting'
      AND r.workspace_id = t.workspace_id AND r.concurrency_key = t.concurrency_key LIMIT t.most + 1) AS few) > t.most, false) AS "isOwn",
    (t.most IS NULL OR t.going < t.most)
      AND NOT EXISTS (SELECT FROM full_queues f WHERE f.workspace_id = t.workspace_id AND f.name = t.queue) AS "isFree"
  FROM theirs t
  ORDER BY t.workspace_id, t.concurrency_key`;

/** How it stands with the places that a run waits for. */
export interface Places {
  /** null: its key has none. */
  limit: number | null;
  going: number;
  /** Counted to 1,000. */
  before: number;
  /** null: it is in no queue. */
  queue: { limit: number | null; going: number; before: number; paused: boolean } | null;
}

/**
 * Of the runs that wait for a place of `:keys`, which have as many as `:limits` say, as many as there are free ones, and
 * `:places` at most.
 */
export const FIRST_WAITING = `
  SELECT w.id FROM unnest(:keys::text[], :limits::int[]) AS k(key, most) CROSS JOIN LATERAL (
    SELECT w.id, w.rank FROM runs w WHERE w.phase = 'waiting' AND w.workspace_id = :workspaceId AND w.concurrency_key = k.key
    ORDER BY w.rank, w.id LIMIT GREATEST(0, LEAST(:places::int, k.most - (
      SELECT count(*) FROM runs g WHERE g.concurrency_key = k.key AND g.${IS_GOING})))) AS w
  ORDER BY w.rank, w.id LIMIT :places`;

/** Of a waiting run `r`: those that go before it. */
export const EARLIER = `
  SELECT count(*) FROM (SELECT FROM runs w WHERE w.phase = 'waiting' AND w.workspace_id = r.workspace_id
    AND w.concurrency_key = r.concurrency_key AND (w.rank, w.id) < (r.rank, r.id) LIMIT 1000) AS earlier`;

/** The same, of all that wait in its queue `q`. */
export const EARLIER_IN_QUEUE = `
  SELECT count(*) FROM (SELECT FROM runs w WHERE w.workspace_id = q.workspace_id AND w.queue = q.name AND w.phase = 'waiting'
    AND (w.rank, w.id) < (r.rank, r.id) LIMIT 1000) AS earlier`;

/** How many go on in a queue `q`. */
export const GOING_IN_QUEUE = countInQueue(IS_GOING);
