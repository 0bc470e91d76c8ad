import { insertEvents } from '../core/outbox/index.js';
import { TRIAL_VERSION } from './run.version.js';

/** A timestamp in a statement as the interface writes it. */
const isoTimestamp = (expression: string): string =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const RUN_EVENT = `CASE r.status WHEN 'running' THEN 'run.started' ELSE 'run.' || r.status END`;

/** Between two attempts. */
export const RETRYING_EVENT = {
  type: `'run.retrying'`,
  more: `, 'attempt', r.attempt, 'nextAttemptAt', ${isoTimestamp('r.next_attempt_at')}`,
};

/** Its time to start is another one. */
export const MOVED_EVENT = { type: `'run.moved'`, more: `, 'startAt', ${isoTimestamp('r.start_at')}` };

/**
 * Writes the event `run.<status>` for each run of a relation within a larger statement. It is in the run's trace, whoever
 * caused it. There is none of a plan, so nothing that follows from events knows of it: statistics, errors, alerts, triggers, webhooks.
 *
 * @param runs a relation with the columns of `runs`, called `r` here
 * @param eventId the event's id: a column of `r`, or a parameter where the relation has one row at most
 * @param about how the event is called, and what it says besides, where that is more than its status
 */
export const insertRunEvent = (
  runs: string,
  eventId: string,
  about = { type: RUN_EVENT, more: '' },
): string =>
  insertEvents(`
  SELECT ${eventId}, r.workspace_id, r.environment_id,
    ${about.type},
    jsonb_build_object(
      'runId', r.id, 'script', jsonb_build_object('id', s.id, 'slug', s.slug, 'name', s.name), 'version', r.version,
      'status', r.status, 'environment', e.name, 'interface', r.interface,
      'startedBy', jsonb_build_object('userId', r.started_by_user_id, 'credentialType', r.credential_type,
        'credentialName', r.credential_name),
      'error', r.error, 'durationMs', r.duration_ms, 'startedAt', ${isoTimestamp('r.started_at')},
      'finishedAt', ${isoTimestamp('r.finished_at')}, 'test', r.test, 'trial', r.version = ${TRIAL_VERSION},
      'labels', r.labels${about.more}),
    r.id, r.traceparent
  FROM ${runs} r JOIN scripts s ON s.id = r.script_id JOIN environments e ON e.id = r.environment_id
  WHERE NOT r.plan`);
