import { Injectable } from '@nestjs/common';

import { type AuditActor, auditEvents, givenAuditEvents, insertAuditEvents } from '../../audit/index.js';
import type { Caller } from '../../core/access/index.js';
import { newId } from '../../core/crypto/index.js';
import { type Affected, Database, insertColumns, named } from '../../core/database/index.js';
import type { RawJson } from '../../core/json/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { Tracing } from '../../core/tracing/index.js';
import { type Claimed, LEASE, takenAtOnce } from '../../core/work/index.js';
import { countStartedRuns, countStartingPeople } from '../../scripts/index.js';
import { ADMIT_RUN, type RunLimits } from '../../usage/index.js';
import { CLAIMED_RUN, surroundingsOf } from '../claimed-run.sql.js';
import type { ClaimedRun } from '../execution/claimed-run.js';
import { insertRunEvent } from '../insert-run-event.sql.js';
import { BEGUN } from '../run-columns.js';
import { Run } from '../run.entity.js';
import { RUN_QUEUE } from '../run-queue.sql.js';
import type { RunPhase } from '../run.status.js';
import type { FreePlace } from './own-worker.js';

const NEW_RUN = insertColumns(Run, ...BEGUN, 'credentialId', 'credentialType', 'credentialName');

/** A run that a caller asks for. It is held where it has an approval request. */
export type NewRun = Omit<typeof NEW_RUN.row, 'status' | 'inputs' | 'traceparent'> & {
  inputs: RawJson;
};

/** A run, whoever asks for it, and the limits of the plan that it comes under. */
export type InsertedRun = [run: NewRun, by: Caller | AuditActor, limits: RunLimits];

@Injectable()
export class NewRunsRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Writes the run with its event, its audit event and its counts, in one statement. False: a limit of the plan does not
   * allow it, and nothing was written.
   */
  async insert(...run: InsertedRun): Promise<boolean> {
    const phase = run[0].approvalRequestId === null ? 'queued' : 'held';
    return this.inserted(await this.database.execute(...INSERT_RUN({ ...this.valuesOf(...run), phase })));
  }

  /**
   * The same, as one that a worker has from now on, where nothing waits for a place there and its workspace and owner have not
   * their share already; otherwise it waits. Not for a run with files, nor for one that is held.
   */
  async insertAt(
    place: FreePlace,
    run: InsertedRun,
  ): Promise<{ inserted: boolean; claimed: Claimed<ClaimedRun> }> {
    const outcome = await this.database.execute<ClaimedRun>(
      ...INSERT_RUN_AT({ ...this.valuesOf(...run), ...place }),
    );
    const items = outcome.rows.filter(({ claim }) => claim > 0);
    const inserted = this.inserted(outcome);
    return { inserted, claimed: { items, missed: false, passedOver: inserted && items.length === 0 } };
  }

  private inserted({ count }: Affected<unknown>): boolean {
    if (count === 1) this.outbox.wake();
    return count === 1;
  }

  private valuesOf(...[run, by, limits]: InsertedRun): NewRunValues {
    const { id, workspaceId } = run;
    return {
      ...run,
      ...limits,
      status: run.approvalRequestId === null ? 'running' : 'awaiting_approval',
      inputs: run.inputs.text,
      traceparent: this.tracing.traceparent,
      eventId: newId('event'),
      auditEvents: auditEvents([{ workspaceId, by, action: 'run.started', target: { type: 'run', id } }]),
    };
  }
}

type NewRunValues = typeof NEW_RUN.row & RunLimits & { eventId: string; auditEvents: string };

const WITH_WHAT_BELONGS_TO_IT = `told AS (${insertRunEvent('made', ':eventId')}
  ), audited AS (${insertAuditEvents(givenAuditEvents('made'))}
  ), counted AS (${countStartedRuns('made')}
  ), met AS (${countStartingPeople('made')}
  )`;

const INSERT_RUN = named<NewRunValues & { phase: RunPhase }>(`
  WITH admitted AS (${ADMIT_RUN}
  ), made AS (
    INSERT INTO runs (${NEW_RUN.columns}, phase) SELECT ${NEW_RUN.parameters}, :phase FROM admitted RETURNING *
  ), ${WITH_WHAT_BELONGS_TO_IT}
  SELECT FROM made`);

const INSERT_RUN_AT = named<NewRunValues & FreePlace>(`
  WITH admitted AS (${ADMIT_RUN}
  ), wanted AS (
    SELECT :id::text AS id, :versionId::text AS version_id, :environmentId::text AS environment_id, :workspaceId::text AS workspace_id
  ), next AS MATERIALIZED (${surroundingsOf('wanted', ':unpacked')}
  ), place AS MATERIALIZED (
    SELECT ${takenAtOnce(RUN_QUEUE, { workspace: ':workspaceId', here: ':here', share: ':share' })} AS free
  ), made AS (
    INSERT INTO runs (${NEW_RUN.columns}, phase, claim, worker_id, lease_until, execution_started_at)
    SELECT ${NEW_RUN.parameters}, CASE WHEN NOT free THEN 'queued' WHEN next.ready THEN 'executing' ELSE 'starting' END,
      free::int, CASE WHEN free THEN :worker END, CASE WHEN free THEN now() + ${LEASE} END,
      CASE WHEN free AND next.ready THEN now() END
    FROM admitted, place, next RETURNING *
  ), ${WITH_WHAT_BELONGS_TO_IT}
  SELECT ${CLAIMED_RUN} FROM made r, next`);
