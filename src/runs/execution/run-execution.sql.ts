import { named } from '../../core/database/index.js';
import { LEASE, LEASE_IS_LOST } from '../../core/work/index.js';
import { countEndedRun } from '../../scripts/index.js';
import { countRunSeconds } from '../../usage/index.js';
import { insertChunks } from '../insert-log-chunks.sql.js';
import { insertRunEvent } from '../insert-run-event.sql.js';
import { END_ERROR } from '../turns/run-turns.sql.js';
import { RUN_COLUMNS } from '../run-columns.js';
import type { Claim } from './claimed-run.js';
import type { RunEnd } from './run-end.js';

/** SQL, since each run has a claim of its own, and is looked up with its workspace. $1 runs, $2 claims. */
export const RENEW = `
  UPDATE runs r SET lease_until = now() + ${LEASE},
    cancel_requested_at = CASE WHEN w.deleted_at IS NULL THEN r.cancel_requested_at
                               ELSE COALESCE(r.cancel_requested_at, now()) END
  FROM unnest($1::text[], $2::int[]) AS mine(id, claim), workspaces w
  WHERE r.id = mine.id AND r.claim = mine.claim AND r.phase IN ('starting', 'executing')
    AND w.id = r.workspace_id
  RETURNING r.id, r.claim, r.cancel_requested_at IS NOT NULL AS "cancelRequested"`;

/** Runs that were taken and not begun by workers that have died. */
export const ABANDONED = `
  SELECT id FROM runs WHERE phase = 'starting' AND ${LEASE_IS_LOST} LIMIT 500 FOR UPDATE SKIP LOCKED`;

/** SQL, since it is hot: the state, the lines and the notification in one statement. */
export const WRITE = `
  WITH mine AS (
    UPDATE runs SET log_lines = GREATEST(log_lines, $3), progress = $5, progress_message = $6, labels = COALESCE($7::jsonb, labels)
    WHERE id = $1 AND claim = $2 AND phase = 'executing'
    RETURNING id
  ), logged AS (${insertChunks('mine', '$4')}
  )
  SELECT pg_notify('gatehouse', 'run:' || id) FROM mine`;

/** SQL: a chunk that goes on beyond what is dropped keeps its end, in the same statement. */
export const DROP_LINES = `
  WITH dropped AS (
    DELETE FROM run_log_chunks WHERE run_id = $1 AND first_line >= $2 AND first_line < $3 RETURNING *
  )
  INSERT INTO run_log_chunks (run_id, first_line, lines, written_at)
  SELECT run_id, $3, lines[$3::int - first_line + 1:], written_at FROM dropped WHERE first_line + cardinality(lines) > $3`;

interface FinishTexts {
  network: string;
  chunks: string;
  logLines: number;
  eventId: string;
  labels: string | null;
}

/**
 * SQL, since it is hot: the end with all that goes with it. A run whose cancellation was asked for ends as cancelled, even if
 * its command has succeeded meanwhile.
 */
export const FINISH = named<Claim & Omit<RunEnd, 'network' | 'log' | 'labels'> & FinishTexts>(`
  WITH done AS (
    UPDATE runs SET
      status = CASE WHEN cancel_requested_at IS NULL THEN :outcome::text ELSE 'cancelled' END,
      output = CASE WHEN cancel_requested_at IS NULL THEN :output::json END,
      error = CASE WHEN cancel_requested_at IS NULL THEN :error::text ELSE ${END_ERROR} END,
      phase = 'finished', finished_at = now(), duration_ms = :durationMs::int, cpu_ms = :cpuMs::int,
      peak_memory_bytes = :peakMemoryBytes::bigint, network = :network::json,
      log_lines = GREATEST(log_lines, :logLines::int), progress = :progress,
      progress_message = :progressMessage, output_view = :outputView, labels = COALESCE(:labels::jsonb, labels), traceparent = COALESCE(:traceparent, traceparent), worker_id = NULL, lease_until = NULL
    WHERE id = :id AND claim = :claim AND phase IN ('starting', 'executing')
    RETURNING *
  ), logged AS (${insertChunks('done', ':chunks')}
  ), told AS (${insertRunEvent('done', ':eventId')}
  ), counted AS (${countEndedRun('done')}
  ), metered AS (${countRunSeconds('done')}
  )
  SELECT ${RUN_COLUMNS}, pg_notify('gatehouse', 'run:' || r.id) FROM done r`);
