import { Injectable } from '@nestjs/common';

import { type AuditActor, auditEvents } from '../../audit/index.js';
import type { Caller } from '../../core/access/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import type { RawJson } from '../../core/json/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { Tracing } from '../../core/tracing/index.js';
import type { RunLimits } from '../../usage/index.js';
import type { ClaimedRun } from '../execution/claimed-run.js';
import type { RunPlace } from '../execution/run-places.js';
import { INSERT_RUN, type NewRunRow, NO_PLACE } from './new-runs.sql.js';

/** A run that a caller asks for. It is held where it has an approval request. */
export type NewRun = Omit<NewRunRow, 'status' | 'inputs' | 'traceparent'> & {
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
