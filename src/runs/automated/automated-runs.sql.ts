import { givenAuditEvents, insertAuditEvents } from '../../audit/index.js';
import { LIVE_MEMBERSHIPS, scriptIsVisible } from '../../core/access/index.js';
import { insertColumns, named } from '../../core/database/index.js';
import type { RawJson } from '../../core/json/index.js';
import { countStartedRuns, countStartingPeople, type KeyPart, type Labels } from '../../scripts/index.js';
import { insertRunEvent } from '../insert-run-event.sql.js';
import { labelsIn } from '../labels/labels.sql.js';
import { BEGUN } from '../run-columns.js';
import { runsOnOf } from '../runs-on.sql.js';
import { Run } from '../run.entity.js';
import { keyOf } from '../turns/concurrency-key.sql.js';

const NEW_RUN = insertColumns(
  Run,
  ...BEGUN,
  'phase',
  'error',
  'scheduleId',
  'triggerId',
  'hookId',
  'hops',
  'apiHops',
  'chainEventId',
  'queue',
  'credentialId',
  'credentialType',
  'credentialName',
  'retry',
  'startAt',
  'expiresAt',
  'rank',
  'debounceKey',
  'debounceUntil',
  'debounceStarts',
);

/** A run as it is written, with the id of its event. */
export type AutomatedRun = Omit<typeof NEW_RUN.row, 'inputs'> & {
  inputs: RawJson;
  eventId: string;
  /** What its key is made of; null: it shares places with no run. */
  keyParts: KeyPart[] | null;
  labels: Labels;
  /** What further labels are made of; null: nothing. */
  labelParts: Record<string, KeyPart[]> | null;
};

const KEYED = {
  parts: 'given."keyParts"',
  script: 'given."scriptId"',
  environment: 'given."environmentId"',
  inputs: 'given.inputs',
};
const LABELLED = { parts: 'given."labelParts"', given: 'given.labels', inputs: 'given.inputs' };

/** SQL, since it asks of many orders at once what decides about each. */
export const CIRCUMSTANCES = `
  SELECT o.id, s.slug, s.name, s.owner_user_id AS "ownerUserId", s.status, s.approval_policy AS "scriptPolicy",
    s.ask, s.queue, w.plan,
    v.id AS "versionId", e.name AS environment, e.approval_policy AS "environmentPolicy", e.agents_allowed AS "agentsAllowed",
    (e.deleted_at IS NOT NULL OR w.deleted_at IS NOT NULL) AS gone, r.role,
    COALESCE(${scriptIsVisible({ alias: 's', roleParameter: 'r.role', userParameter: 'o.user_id', choiceParameter: null })}, false) AS visible
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
      AS o(id, workspace_id, environment_id, script_id, user_id)
    JOIN workspaces w ON w.id = o.workspace_id
    JOIN scripts s ON s.id = o.script_id AND s.workspace_id = w.id
    JOIN environments e ON e.id = o.environment_id AND e.workspace_id = w.id
    LEFT JOIN script_versions v ON v.script_id = s.id AND v.number = s.published_version
    LEFT JOIN ${LIVE_MEMBERSHIPS} m ON m.workspace_id = w.id AND m.user_id = o.user_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN o.user_id IS NULL THEN 'admin' ELSE m.role END AS role) AS r`;

/** SQL: the runs with all that goes with them, in one statement. Returns of which keys some wait for their turn. */
export const INSERT = named<{ runs: string; auditEvents: string }>(`
  WITH ordered AS (
    SELECT * FROM ${NEW_RUN.recordset(':runs', '"eventId" text', '"keyParts" json', 'labels jsonb', '"labelParts" json')}
  ), made AS (
    INSERT INTO runs (${NEW_RUN.columns}, runs_on, labels, concurrency_key, finished_at)
    SELECT ${NEW_RUN.given}, ${runsOnOf('given."versionId"', 'given."environmentId"')}, ${labelsIn(LABELLED)}, ${keyOf(KEYED)}, CASE phase WHEN 'finished' THEN now() END FROM ordered AS given
    RETURNING *
  ), told AS (${insertRunEvent('(SELECT m.*, o."eventId" FROM made m JOIN ordered o USING (id))', 'r."eventId"')}
  ), audited AS (${insertAuditEvents(givenAuditEvents())}
  ), counted AS (${countStartedRuns('made')}
  ), people AS (${countStartingPeople('made')}
  )
  SELECT DISTINCT concurrency_key AS key FROM made WHERE phase = 'waiting'`);
