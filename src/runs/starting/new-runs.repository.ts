import { Injectable } from '@nestjs/common';

import { type AuditActor, type AuditEntry, auditEvents } from '../../audit/index.js';
import type { Caller } from '../../core/access/index.js';
import { Causes } from '../../core/causes/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import type { RawJson } from '../../core/json/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { Waker } from '../../core/work/index.js';
import { Tracing } from '../../core/tracing/index.js';
import type { Concurrency } from '../../scripts/index.js';
import type { RunLimits } from '../../usage/index.js';
import type { ClaimedRun } from '../execution/claimed-run.js';
import type { RunPlace } from '../execution/run-places.js';
import { NO_CHAIN, RunChainService } from './run-chain.service.js';
import type { Run } from '../run.entity.js';
import { firstPhase, keyPartsOf, RUN_TURNS } from '../turns/run-turn.rules.js';
import { INSERT_RUN, type NewRunRow, NO_PLACE } from './new-runs.sql.js';

/** A run that a caller asks for. It is held where it has an approval request. */
export type NewRun = Omit<NewRunRow, 'status' | 'inputs' | 'traceparent'> & {
  inputs: RawJson;
  concurrency: Concurrency | null;
};

/** What is in the audit log besides the start itself; the run and its version are added to its details. */
export type AlsoRecorded = Pick<AuditEntry, 'action' | 'target' | 'details'>;

@Injectable()
export class NewRunsRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly tracing: Tracing,
    private readonly causes: Causes,
    private readonly chains: RunChainService,
    private readonly waker: Waker,
  ) {}

  /** Whether something stands behind a run that is asked for now: it counts for a chain, and so takes a transaction. */
  isCaused(workspaceId: string): boolean {
    return this.causes.runIn(workspaceId) !== null;
  }

  /**
   * Writes the run with its event, its audit event and its counts, in one statement. At `place` the worker has it from now on,
   * unless others wait, or its workspace or owner has its share there. What a script's run asks for counts for its chain,
   * in the surrounding transaction.
   *
   * @returns what the worker has `claimed`, if it has; null: a limit of the plan does not allow the run, and nothing was written
   */
  async insert(
    run: NewRun,
    by: Caller | AuditActor,
    limits: RunLimits,
    place: RunPlace | null,
    also: AlsoRecorded | null,
  ): Promise<{ claimed: ClaimedRun | null } | null> {
    const { id, workspaceId } = run;
    const eventId = newId('event');
    const causedBy = this.causes.runIn(workspaceId);
    // What asks stands before what it asks for: the chain of a script's run goes on, also where it reruns another.
    const cause = causedBy === null ? {} : { causeType: 'run' as const, causeId: causedBy };
    const bytes = Buffer.byteLength(run.inputs.text);
    const position = causedBy === null ? NO_CHAIN : await this.chains.count(causedBy, [bytes], eventId);
    const entries: AuditEntry[] = [{ workspaceId, by, action: 'run.started', target: { type: 'run', id } }];
    if (also) {
      entries.push({ ...also, workspaceId, by, details: { ...also.details, run: id, version: run.version } });
    }
    const held = run.approvalRequestId !== null;
    const parts = keyPartsOf(run);
    const statement = INSERT_RUN({
      ...run,
      ...cause,
      ...limits,
      ...position,
      ...(place ?? NO_PLACE),
      keyParts: parts && JSON.stringify(parts),
      status: held ? 'awaiting_approval' : 'running',
      waiting: held ? 'held' : firstPhase(run),
      inputs: run.inputs.text,
      traceparent: this.tracing.traceparent,
      eventId,
      auditEvents: auditEvents(entries),
    });
    const written = await this.database.one<ClaimedRun & Pick<Run, 'concurrencyKey'>>(...statement);
    if (!written) return null;
    this.outbox.wake();
    if (written.concurrencyKey !== null) this.waker.wake(RUN_TURNS, [written.concurrencyKey]);
    return { claimed: written.claim > 0 ? written : null };
  }
}
