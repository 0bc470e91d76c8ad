import type { JsonSchema } from '../../libs/json-schema/index.js';
import { LIVE_MEMBERSHIPS, type Role, scriptIsVisible } from '../core/access/index.js';
import { columns, type RowOf } from '../core/database/index.js';
import type { ScriptStatus } from '../scripts/index.js';
import { insertRunEvent } from './insert-run-event.sql.js';
import { Run } from './run.entity.js';
import { NEXT_PHASE } from './turns/run-turns.sql.js';

const RUN_COLUMNS = columns(Run, 'r', 'id', 'phase', 'startedByUserId', 'byAgent');

/** A held run, and all that has to be as it was when it was asked for. */
export interface HeldRun extends RowOf<typeof RUN_COLUMNS> {
  scriptSlug: string;
  scriptStatus: ScriptStatus;
  environment: string;
  environmentGone: boolean;
  /** The role of who started it, `admin` for an API key; null where that person has left. */
  starterRole: Role | null;
  visibleToStarter: boolean;
  agentsAllowed: boolean;
  inputs: Record<string, unknown>;
  inputSchema: JsonSchema;
  /** How many of the files that it was given are still there. */
  filesLeft: number;
}

/** SQL, since it locks one table of those that it reads. */
export const LOCK = `
  SELECT ${RUN_COLUMNS}, s.slug AS "scriptSlug", s.status AS "scriptStatus", e.name AS environment,
    e.deleted_at IS NOT NULL AS "environmentGone", starter.role AS "starterRole", e.agents_allowed AS "agentsAllowed",
    COALESCE(${scriptIsVisible({ alias: 's', roleParameter: 'starter.role', userParameter: 'r.started_by_user_id', choiceParameter: null })}, false)
      AS "visibleToStarter",
    r.inputs, v.input_schema AS "inputSchema",
    (SELECT count(*) FROM files f WHERE f.run_id = r.id AND f.direction = 'in' AND f.expires_at > now()) AS "filesLeft"
  FROM runs r JOIN scripts s ON s.id = r.script_id JOIN script_versions v ON v.id = r.version_id
    JOIN environments e ON e.id = r.environment_id
    LEFT JOIN ${LIVE_MEMBERSHIPS} m ON m.workspace_id = r.workspace_id AND m.user_id = r.started_by_user_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN r.started_by_user_id IS NULL THEN 'admin' ELSE m.role END AS role) AS starter
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
