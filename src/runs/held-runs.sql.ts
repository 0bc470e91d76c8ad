import type { JsonSchema } from '../../libs/json-schema/index.js';
import { columns, type RowOf } from '../core/database/index.js';
import { insertRunEvent } from './insert-run-event.sql.js';
import { Run } from './run.entity.js';
import { JOIN_STARTER, STARTER_ACCESS, type StarterAccess } from './starter-access.sql.js';
import { NEXT_PHASE } from './turns/run-turns.sql.js';

const RUN_COLUMNS = columns(Run, 'r', 'id', 'phase', 'startedByUserId');

/** A held run, and all that has to be as it was when it was asked for. */
export interface HeldRun extends RowOf<typeof RUN_COLUMNS>, StarterAccess {
  inputs: Record<string, unknown>;
  inputSchema: JsonSchema;
  /** How many of the files that it was given are still there. */
  filesLeft: number;
}

/** SQL, since it locks one table of those that it reads. */
export const LOCK = `
  SELECT ${RUN_COLUMNS}, ${STARTER_ACCESS}, r.inputs, v.input_schema AS "inputSchema",
    (SELECT count(*) FROM files f WHERE f.run_id = r.id AND f.direction = 'in' AND f.expires_at > now()) AS "filesLeft"
  FROM runs r JOIN script_versions v ON v.id = r.version_id
    ${JOIN_STARTER}
  WHERE r.id = $1 FOR UPDATE OF r`;

/** SQL, since it tells of the run that it changes. */
export const RELEASE = `
  WITH released AS (
    UPDATE runs SET status = 'running', phase = CASE WHEN start_at > now() THEN 'delayed' ELSE ${NEXT_PHASE} END
    WHERE id = $1 AND phase = 'held' RETURNING *
  ), told AS (${insertRunEvent('released', '$2')}
  )
  SELECT pg_notify('gatehouse', 'run:' || id) FROM released`;

/** SQL, since each gets values of its own, and is told of. */
export const CANCEL = `
  WITH ended AS (
    UPDATE runs SET status = 'cancelled', phase = 'finished', finished_at = now(), error = o.reason
    FROM unnest($1::text[], $2::text[], $3::text[]) AS o(run_id, event_id, reason)
    WHERE id = o.run_id AND phase = 'held'
    RETURNING runs.*, o.event_id
  ), told AS (${insertRunEvent('ended', 'r.event_id')}
  )
  SELECT pg_notify('gatehouse', 'run:' || id) FROM ended`;
