import { type Role, scriptIsChosen, scriptIsVisible } from '../core/access/index.js';
import { columns } from '../core/database/index.js';
import { USUAL_RESOURCES } from '../scripts/index.js';
import { WAITING_OF_RUN } from './asking/questions.sql.js';
import { insertRunEvent, MOVED_EVENT } from './insert-run-event.sql.js';
import { RUN_COLUMNS } from './run-columns.js';
import { Run } from './run.entity.js';

const findRun = (joined: string, visible: string): string => `
  SELECT ${RUN_COLUMNS}, ${columns(Run, 'r', 'network')}, e.name AS environment, ${WAITING_OF_RUN} AS "waitingApprovalIds",
    r.inputs::text AS inputs, r.output::text AS output,
    EXISTS (SELECT FROM files f WHERE f.run_id = r.id) AS "hasFiles",
    CASE WHEN r.phase = 'starting' THEN (
      SELECT (v.resources->>'memory')::int FROM script_versions v
      WHERE v.id = r.version_id AND (v.resources->>'memory')::int > ${USUAL_RESOURCES.memory}) END AS "askedMemory"
  FROM runs r JOIN environments e ON e.id = r.environment_id ${joined}
  WHERE r.id = $1 AND r.workspace_id = $2 AND ($3::text IS NULL OR r.environment_id = $3) ${visible}`;

/** SQL, since it is hot. By what a viewer may see, so that those who see everything pay for no further look-up. */
export const FIND_RUN: Record<Role | 'chosen', string> = {
  owner: findRun('', ''),
  admin: findRun('', ''),
  member: findRun(
    'JOIN scripts s ON s.id = r.script_id',
    `AND ${scriptIsVisible({ alias: 's', roleParameter: "'member'", userParameter: '$4', choiceParameter: null })}`,
  ),
  guest: findRun('', 'AND r.started_by_user_id = $4'),
  /** For an app with chosen scripts: $4 person, $5 role, $6 the choice. */
  chosen: findRun(
    'JOIN scripts s ON s.id = r.script_id',
    `AND CASE $5 WHEN 'guest' THEN r.started_by_user_id = $4 AND ${scriptIsChosen('s', '$6')}
      ELSE ${scriptIsVisible({ alias: 's', roleParameter: '$5', userParameter: '$4', choiceParameter: '$6' })} END`,
  ),
};

/** SQL, since it tells of the run that it changes. $1 run, $2 moment, $3 event */
export const MOVE_RUN = `
  WITH moved AS (
    UPDATE runs SET start_at = $2 WHERE id = $1 AND phase = 'delayed' AND debounce_key IS NULL AND approval_request_id IS NULL
    RETURNING *
  ), told AS (${insertRunEvent('moved', '$3', MOVED_EVENT)}
  )
  SELECT id, pg_notify('gatehouse', 'run:' || id) FROM moved`;

/** SQL, since what becomes of a run depends on its phase, and all is told in the same statement. */
export const CANCEL_RUN = `
  WITH target AS (
    SELECT id, phase, concurrency_key FROM runs WHERE id = $1 AND phase <> 'finished' FOR UPDATE
  ), ended AS (
    UPDATE runs r SET status = 'cancelled', phase = 'finished', finished_at = now(), cancel_requested_at = now(),
      next_attempt_at = NULL, error = NULL
    FROM target t WHERE r.id = t.id AND t.phase IN ('held', 'delayed', 'waiting', 'queued', 'retrying')
    RETURNING r.*
  ), asked AS (
    UPDATE runs r SET cancel_requested_at = COALESCE(r.cancel_requested_at, now())
    FROM target t WHERE r.id = t.id AND t.phase IN ('starting', 'executing')
  ), told AS (${insertRunEvent('ended', '$2')}
  )
  SELECT t.phase AS before, t.concurrency_key AS "concurrencyKey", pg_notify('gatehouse', 'run:' || t.id), pg_notify('gatehouse', 'cancel:' || t.id)
  FROM target t`;
