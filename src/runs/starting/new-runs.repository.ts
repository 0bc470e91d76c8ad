import { Injectable } from '@nestjs/common';

import { type AuditActor, auditEvents, givenAuditEvents, insertAuditEvents } from '../../audit/index.js';
import type { Caller } from '../../core/access/caller.js';
import { newId } from '../../core/crypto/ids.js';
import { type Affected, Database } from '../../core/database/database.js';
import { insertColumns } from '../../core/database/insert-columns.js';
import { type BoundStatement, named } from '../../core/database/named-parameters.js';
import type { RawJson } from '../../core/json/raw-json.js';
import { Outbox } from '../../core/outbox/outbox.js';
import { Tracing } from '../../core/tracing/tracing.js';
import { type ClaimRow, type Claimed, claimedOf } from '../../core/work/fair-share.js';
import { countStartedRuns, countStartingPeople } from '../../scripts/index.js';
import { ADMIT_RUN, type RunLimits } from '../../usage/index.js';
import type { ClaimedRun } from '../execution/claimed-run.js';
import { insertRunEvent } from '../insert-run-event.sql.js';
import { BEGUN } from '../run-columns.js';
import { Run } from '../run.entity.js';

const NEW_RUN = insertColumns(Run, ...BEGUN, 'credentialId', 'credentialType', 'credentialName');

/** A run that a caller asks for. It is held where it has an approval request. */
export type NewRun = Omit<typeof NEW_RUN.row, 'status' | 'phase' | 'inputs' | 'traceparent'> & {
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
    return this.inserted(await this.database.execute(...this.insertion(...run)));
  }

  /** The same, together with a claim, which is made whether the run was written or not, and returns what it took. */
  async insertAndClaim(
    run: InsertedRun,
    claim: BoundStatement,
  ): Promise<{ inserted: boolean; claimed: Claimed<ClaimedRun> }> {
    const [insertion, { rows }] = await this.database.both<never, ClaimRow<ClaimedRun>>(
      this.insertion(...run),
      claim,
    );
    return { inserted: this.inserted(insertion), claimed: claimedOf(rows) };
  }

  private inserted({ count }: Affected<unknown>): boolean {
    if (count === 1) this.outbox.wake();
    return count === 1;
  }

  private insertion(...[run, by, limits]: InsertedRun): BoundStatement {
    const { id, workspaceId } = run;
    const held = run.approvalRequestId !== null;
    return INSERT_RUN({
      ...run,
      ...limits,
      status: held ? 'awaiting_approval' : 'running',
      phase: held ? 'held' : 'queued',
      inputs: run.inputs.text,
      traceparent: this.tracing.traceparent,
      eventId: newId('event'),
      auditEvents: auditEvents([{ workspaceId, by, action: 'run.started', target: { type: 'run', id } }]),
    });
  }
}

const INSERT_RUN = named<typeof NEW_RUN.row & RunLimits & { eventId: string; auditEvents: string }>(`
  WITH admitted AS (${ADMIT_RUN}
  ), made AS (
    INSERT INTO runs (${NEW_RUN.columns}) SELECT ${NEW_RUN.parameters} FROM admitted RETURNING *
  ), told AS (${insertRunEvent('made', ':eventId')}
  ), audited AS (${insertAuditEvents(givenAuditEvents('made'))}
  ), counted AS (${countStartedRuns('made')}
  ), met AS (${countStartingPeople('made')}
  )
  SELECT FROM made`);
