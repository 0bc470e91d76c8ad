import { columns, type RowOf } from '../../core/database/index.js';
import { fairClaim, LEASE } from '../../core/work/index.js';
import { Schedule } from '../schedule.entity.js';
import { WaitingSchedule } from './waiting-schedule.entity.js';

const COLUMNS = columns(
  Schedule,
  's',
  'environmentId',
  'scriptId',
  'cron',
  'timezone',
  'inputs',
  'byAgent',
  'createdByUserId',
);
const CLAIMED = columns(WaitingSchedule, 'w', 'id', 'workspaceId', 'claim', 'attempts');

/** A schedule that is due, as it was when this process took it. */
export type ClaimedSchedule = RowOf<typeof CLAIMED> &
  RowOf<typeof COLUMNS> & {
    scriptSlug: string;
    scriptName: string;
    /** The published one; null: none. */
    versionId: string | null;
    due: Date;
    /** It is not due any more, or gone: somebody changed it. */
    over: boolean;
    /** By the database's clock. */
    now: Date;
  };

/** So many are put into the queue at once. */
const MOST_QUEUED = 10_000;

/** Has those fired that are due. One row: when it looked, as text with all its digits. */
export const QUEUE_DUE = `
  WITH quick AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
  ), queued AS (
    INSERT INTO waiting_schedules (id, workspace_id)
    SELECT id, workspace_id FROM schedules s, quick
    WHERE next_run_at <= now() AND NOT EXISTS (SELECT FROM waiting_schedules w WHERE w.id = s.id)
    ORDER BY next_run_at LIMIT ${MOST_QUEUED}
    ON CONFLICT DO NOTHING
  )
  SELECT now()::text AS "lookedAt"`;

const PICKED = fairClaim(
  {
    table: 'waiting_schedules',
    columns: ['id', 'attempts'],
    waits: 'worker_id IS NULL AND due_at <= now()',
    taken: 'worker_id IS NOT NULL',
  },
  { worker: '$1', room: '$2::int', share: '$3' },
);

/**
 * $1 worker, $2 room, $3 share. A fair claim, in one statement with its summary. The first attempt is counted with it, and
 * returned as 0; a later one when it begins (`COUNT_ATTEMPT`). The commit does not wait for the disk: a database that crashes
 * then has lost no more than the count of an attempt.
 */
export const CLAIM_SCHEDULES = `
  WITH RECURSIVE quick AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
  ), ${PICKED}, taken AS (
    UPDATE waiting_schedules w SET claim = claim + 1, attempts = GREATEST(1, w.attempts), worker_id = $1,
      lease_until = now() + ${LEASE}
    FROM quick, picked p WHERE w.id = p.id
    RETURNING w.id, w.workspace_id, w.claim, p.attempts
  )
  SELECT claim_summary.*, ${CLAIMED}, ${COLUMNS}, c.slug AS "scriptSlug", c.name AS "scriptName", v.id AS "versionId",
    s.next_run_at AS due, s.next_run_at IS NULL OR s.next_run_at > now() AS over, now() AS now
  FROM claim_summary LEFT JOIN taken w ON true LEFT JOIN schedules s ON s.id = w.id
    LEFT JOIN scripts c ON c.id = s.script_id
    LEFT JOIN script_versions v ON v.script_id = c.id AND v.number = c.published_version`;

/**
 * $1 ids, $2 claims. Those of the claims that are still ours and whose schedule is due as it was, with both rows locked, in
 * the order of their ids. A due time is fired once: the schedule stays locked until its next time is stored.
 */
export const HOLD_SCHEDULES = `
  SELECT ${columns(WaitingSchedule, 'w', 'id', 'workspaceId', 'claim')}, ${COLUMNS}, c.slug AS "scriptSlug", c.name AS "scriptName", s.next_run_at AS due, now() AS now
  FROM unnest($1::text[], $2::int[]) AS mine(id, claim)
    JOIN waiting_schedules w ON w.id = mine.id AND w.claim = mine.claim AND w.worker_id IS NOT NULL
    JOIN schedules s ON s.id = w.id AND s.next_run_at <= now()
    JOIN scripts c ON c.id = s.script_id
  ORDER BY s.id FOR NO KEY UPDATE OF s, w`;

/** A schedule that is due, locked until the transaction ends. */
export type DueSchedule = Omit<ClaimedSchedule, 'attempts' | 'versionId' | 'over'>;

/** $1 ids, $2 next times, $3 runs: one statement for all of a portion. */
export const ADVANCE = `
  UPDATE schedules s SET next_run_at = f.next, last_run_at = now(), last_run_id = f.run_id
  FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS f(id, next, run_id)
  WHERE s.id = f.id`;

/** $1 ids, $2 claims: done with, whatever came of them. */
export const FINISH_SCHEDULES = `
  DELETE FROM waiting_schedules w USING unnest($1::text[], $2::int[]) AS mine(id, claim)
  WHERE w.id = mine.id AND w.claim = mine.claim`;
