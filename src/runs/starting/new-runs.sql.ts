import { givenAuditEvents, insertAuditEvents } from '../../audit/index.js';
import { insertColumns, named } from '../../core/database/index.js';
import { isCarried, LEASE, takenAtOnce } from '../../core/work/index.js';
import { countStartedRuns, countStartingPeople } from '../../scripts/index.js';
import { admitRun, type RunLimits } from '../../usage/index.js';
import { CLAIMED_RUN, surroundingsOf } from '../execution/claim-runs.sql.js';
import type { RunPlace } from '../execution/run-places.js';
import { insertRunEvent } from '../insert-run-event.sql.js';
import { labelsIn } from '../labels/labels.sql.js';
import { BEGUN } from '../run-columns.js';
import { Run } from '../run.entity.js';
import { UNTAGGED_QUEUE } from '../run-queue.sql.js';
import type { RunPhase } from '../run.status.js';
import { keyOf, type KeyParts } from '../turns/concurrency-key.sql.js';
import type { ChainPosition } from './run-chain.service.js';

const NEW_RUN = insertColumns(
  Run,
  ...BEGUN,
  'credentialId',
  'credentialType',
  'credentialName',
  'retry',
  'startAt',
  'expiresAt',
  'rank',
  'queue',
  'debounceKey',
  'debounceUntil',
  'debounceStarts',
);
export type NewRunRow = typeof NEW_RUN.row;

type NewRunValues = NewRunRow &
  RunLimits &
  ChainPosition &
  KeyParts & {
    labels: string;
    labelParts: string | null;
    waiting: RunPhase;
    eventId: string;
    auditEvents: string;
  };

/** The run waits for a worker, in whichever process. */
export const NO_PLACE = { worker: null, here: [], share: 0, unpacked: [], tags: [] };

const KEYED = {
  parts: ':keyParts',
  script: ':scriptId',
  environment: ':environmentId',
  inputs: ':inputs',
};

const LABELLED = { parts: ':labelParts', given: ':labels', inputs: ':inputs' };

/** SQL, since it is hot: the run with all that goes with it, and taken where its place is free, in one statement. */
export const INSERT_RUN = named<NewRunValues & (RunPlace | typeof NO_PLACE)>(`
  WITH admitted AS (${admitRun(':workspaceId')}
  ), wanted AS (
    SELECT :id::text AS id, :versionId::text AS version_id, :environmentId::text AS environment_id, :workspaceId::text AS workspace_id,
      false AS expired
  ), next AS MATERIALIZED (${surroundingsOf('wanted', ':unpacked')}
  ), place AS MATERIALIZED (
    SELECT :worker::text IS NOT NULL
      AND (next.runs_on IS NULL OR next.runs_on <@ :tags::text[])
      AND (cardinality(:tags::text[]) = 0 OR NOT EXISTS (SELECT FROM runs WHERE phase = 'queued' AND runs_on <@ :tags::text[]))
      AND ${takenAtOnce(UNTAGGED_QUEUE, { workspace: ':workspaceId', here: ':here', share: ':share' })} AS free
    FROM next
  ), made AS (
    INSERT INTO runs (${NEW_RUN.columns}, runs_on, labels, hops, api_hops, chain_event_id, concurrency_key, phase, claim, worker_id, lease_until, execution_started_at)
    SELECT ${NEW_RUN.parameters}, next.runs_on, ${labelsIn(LABELLED)}, :hops, :apiHops, :chainEventId, ${keyOf(KEYED)}, CASE WHEN NOT free THEN :waiting WHEN next.ready THEN 'executing' ELSE 'starting' END,
      free::int, CASE WHEN free THEN :worker END, CASE WHEN free THEN now() + ${LEASE} END,
      CASE WHEN free AND next.ready THEN now() END
    FROM admitted, place, next RETURNING *
  ), told AS (${insertRunEvent('made', ':eventId')}
  ), audited AS (${insertAuditEvents(givenAuditEvents('made'))}
  ), counted AS (${countStartedRuns('made')}
  ), met AS (${countStartingPeople('made')}
  )
  SELECT ${CLAIMED_RUN}, r.concurrency_key AS "concurrencyKey",
    r.runs_on IS NOT NULL AND NOT ${isCarried('r.runs_on')} AS "isUnplaceable" FROM made r, next`);
