import { Injectable } from '@nestjs/common';

import { type AuditActor, auditEvents, givenAuditEvents, insertAuditEvents } from '../../audit/index.js';
import type { Caller } from '../../core/access/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database, insertColumns, named } from '../../core/database/index.js';
import type { RawJson } from '../../core/json/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { Tracing } from '../../core/tracing/index.js';
import { LEASE, takenAtOnce } from '../../core/work/index.js';
import { countStartedRuns, countStartingPeople } from '../../scripts/index.js';
import { ADMIT_RUN, type RunLimits } from '../../usage/index.js';
import { CLAIMED_RUN, surroundingsOf } from '../execution/claim-runs.sql.js';
import type { ClaimedRun } from '../execution/claimed-run.js';
import type { RunPlace } from '../execution/run-places.js';
import { insertRunEvent } from '../insert-run-event.sql.js';
import { BEGUN } from '../run-columns.js';
import { Run } from '../run.entity.js';
import { RUN_QUEUE } from '../run-queue.sql.js';
import type { RunPhase } from '../run.status.js';

const NEW_RUN = insertColumns(Run, ...BEGUN, 'credentialId', 'credentialType', 'credentialName');

/** A run that a caller asks for. It is held where it has an approval request. */
export type NewRun = Omit<typeof NEW_RUN.row, 'status' | 'inputs' | 'traceparent'> & {
  inputs: RawJson;
};

@Injectable()
export class NewRunsRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Writes the run with its event, its audit event and its counts, in one statement. At `place` the worker has it from now on,
   * unless others wait, or its workspace or owner has its share there.
   *
   * @returns what the worker has `claimed`, if it has; null: a limit of the plan does not allow the run, and nothing was written
   */
  async insert(
    run: NewRun,
    by: Caller | AuditActor,
    limits: RunLimits,
    place: RunPlace | null,
  ): Promise<{ claimed: ClaimedRun | null } | null> {
    const { id, workspaceId } = run;
    const held = run.approvalRequestId !== null;
    const statement = INSERT_RUN({
      ...run,
      ...limits,
      ...(place ?? NO_PLACE),
      status: held ? 'awaiting_approval' : 'running',
      waiting: held ? 'held' : 'queued',
      inputs: run.inputs.text,
      traceparent: this.tracing.traceparent,
      eventId: newId('event'),
      auditEvents: auditEvents([{ workspaceId, by, action: 'run.started', target: { type: 'run', id } }]),
    });
    const written = await this.database.one<ClaimedRun>(...statement);
    if (!written) return null;
    this.outbox.wake();
    return { claimed: written.claim > 0 ? written : null };
  }
}

type NewRunValues = typeof NEW_RUN.row &
  RunLimits & { waiting: RunPhase; eventId: string; auditEvents: string };

/** The run waits for a worker, in whichever process. */
const NO_PLACE = { worker: null, here: [], share: 0, unpacked: [] };

const INSERT_RUN = named<NewRunValues & (RunPlace | typeof NO_PLACE)>(`
  WITH admitted AS (${ADMIT_RUN}
  ), wanted AS (
    SELECT :id::text AS id, :versionId::text AS version_id, :environmentId::text AS environment_id, :workspaceId::text AS workspace_id
  ), next AS MATERIALIZED (${surroundingsOf('wanted', ':unpacked')}
  ), place AS MATERIALIZED (
    SELECT :worker::text IS NOT NULL
      AND ${takenAtOnce(RUN_QUEUE, { workspace: ':workspaceId', here: ':here', share: ':share' })} AS free
  ), made AS (
    INSERT INTO runs (${NEW_RUN.columns}, phase, claim, worker_id, lease_until, execution_started_at)
    SELECT ${NEW_RUN.parameters}, CASE WHEN NOT free THEN :waiting WHEN next.ready THEN 'executing' ELSE 'starting' END,
      free::int, CASE WHEN free THEN :worker END, CASE WHEN free THEN now() + ${LEASE} END,
      CASE WHEN free AND next.ready THEN now() END
    FROM admitted, place, next RETURNING *
  ), told AS (${insertRunEvent('made', ':eventId')}
  ), audited AS (${insertAuditEvents(givenAuditEvents('made'))}
  ), counted AS (${countStartedRuns('made')}
  ), met AS (${countStartingPeople('made')}
  )
  SELECT ${CLAIMED_RUN} FROM made r, next`);
