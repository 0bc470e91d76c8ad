import { named } from '../../core/database/index.js';
import { admitRun, countRunSeconds, type RunLimits } from '../../usage/index.js';
import { insertChunks } from '../insert-log-chunks.sql.js';
import { insertRunEvent, RETRYING_EVENT } from '../insert-run-event.sql.js';

interface RetriedRun extends RunLimits {
  id: string;
  claim: number;
  error: string | null;
  durationMs: number | null;
  network: string;
  chunks: string;
  logLines: number;
  delay: number;
  eventId: string;
  traceparent: string | null;
  labels: string | null;
}

/**
 * SQL: what an attempt leaves, with its event and its seconds, in one statement. One whose cancellation was asked for is not
 * tried again, and neither is one that a plan does not allow.
 */
export const RETRY = named<RetriedRun>(`
  WITH mine AS (
    SELECT workspace_id FROM runs
    WHERE id = :id AND claim = :claim AND phase IN ('starting', 'executing') AND cancel_requested_at IS NULL
    FOR NO KEY UPDATE
  ), admitted AS (${admitRun('(SELECT workspace_id FROM mine)')}
  ), retried AS (
    UPDATE runs SET phase = 'retrying', next_attempt_at = now() + make_interval(secs => :delay::float8),
      error = :error::text, duration_ms = :durationMs::int, log_lines = GREATEST(log_lines, :logLines::int),
      progress = NULL, progress_message = NULL, labels = COALESCE(:labels::jsonb, labels), traceparent = COALESCE(:traceparent, traceparent),
      worker_id = NULL, lease_until = NULL
    WHERE id = :id AND EXISTS (SELECT FROM admitted)
    RETURNING *
  ), kept AS (
    INSERT INTO run_attempts (run_id, attempt, error, started_at, duration_ms, network, log_lines)
    SELECT r.id, r.attempt, r.error, r.execution_started_at, r.duration_ms, :network::json,
      r.log_lines - COALESCE((SELECT sum(a.log_lines) FROM run_attempts a WHERE a.run_id = r.id), 0)
    FROM retried r
  ), logged AS (${insertChunks('retried', ':chunks')}
  ), told AS (${insertRunEvent('retried', ':eventId', RETRYING_EVENT)}
  ), metered AS (${countRunSeconds('retried')}
  )
  SELECT r.concurrency_key AS "concurrencyKey", pg_notify('gatehouse', 'run:' || r.id) FROM retried r`);
