import { insertEvents } from '../core/outbox/index.js';

/** A timestamp in a statement as the interface writes it. */
const isoTimestamp = (expression: string): string =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Writes the event `run.<status>` for each run of a relation within a larger statement. It is in the run's trace, whoever
 * caused it.
 *
 * @param runs a relation with the columns of `runs`, called `r` here
 * @param eventId the event's id: a column of `r`, or a parameter where the relation has one row at most
 */
export const insertRunEvent = (runs: string, eventId: string): string =>
  insertEvents(`
  SELECT ${eventId}, r.workspace_id, r.environment_id,
    CASE r.status WHEN 'running' THEN 'run.started' ELSE 'run.' || r.status END,
    jsonb_build_object(
      'runId', r.id, 'script', jsonb_build_object('id', s.id, 'slug', s.slug, 'name', s.name), 'version', r.version,
      'status', r.status, 'environment', e.name, 'interface', r.interface,
      'startedBy', jsonb_build_object('userId', r.started_by_user_id, 'credentialType', r.credential_type,
        'credentialName', r.credential_name),
      'error', r.error, 'durationMs', r.duration_ms, 'startedAt', ${isoTimestamp('r.started_at')},
      'finishedAt', ${isoTimestamp('r.finished_at')}, 'test', r.test),
    r.id, r.traceparent
  FROM ${runs} r JOIN scripts s ON s.id = r.script_id JOIN environments e ON e.id = r.environment_id`);
