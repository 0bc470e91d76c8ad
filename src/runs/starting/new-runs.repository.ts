import { Injectable } from '@nestjs/common';

import { type AuditEntry, AuditTrail, auditEvents } from '../../audit/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { Causes } from '../../core/causes/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import type { RawJson } from '../../core/json/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { Waker } from '../../core/work/index.js';
import { Tracing } from '../../core/tracing/index.js';
import {
  type Concurrency,
  type Debounce,
  type KeyPart,
  labelParts,
  type Labels,
} from '../../scripts/index.js';
import type { RunLimits } from '../../usage/index.js';
import { type DebounceColumns, NOT_DEBOUNCED } from '../debounce/debounce.rules.js';
import { type Debounced, RunDebounceService } from '../debounce/run-debounce.service.js';
import type { ClaimedRun } from '../execution/claimed-run.js';
import type { RunPlace } from '../execution/run-places.js';
import { type ChainPosition, NO_CHAIN, RunChainService } from './run-chain.service.js';
import type { Run } from '../run.entity.js';
import { firstPhase, keyPartsOf, RUN_TURNS } from '../turns/run-turn.rules.js';
import { INSERT_RUN, type NewRunRow, NO_PLACE } from './new-runs.sql.js';

/** A run that a caller asks for. It is held where it has an approval request. */
export type NewRun = Omit<NewRunRow, 'status' | 'inputs' | 'traceparent' | keyof DebounceColumns> & {
  inputs: RawJson;
  /** Those that the start gives. */
  labels: Labels;
  /** What its version makes further ones of. */
  labelTemplates: Labels;
  concurrency: Concurrency | null;
  /** How long it waits for further starts; null: it does not. */
  debounce: Debounce | null;
};

/** What became of a start. */
export interface WrittenRun {
  /** Of another run where the start has taken the place of one that waits. */
  id: string;
  /** What the worker has claimed, if it has. */
  claimed: ClaimedRun | null;
  /** No worker carries its tags. */
  isUnplaceable: boolean;
}

type MadeRun = ClaimedRun & Pick<Run, 'concurrencyKey'> & Pick<WrittenRun, 'isUnplaceable'>;

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
    private readonly audit: AuditTrail,
    private readonly debounce: RunDebounceService,
  ) {}

  /** Whether something stands behind a run that is asked for now: it counts for a chain, and so takes a transaction. */
  isCaused(workspaceId: string): boolean {
    return this.causes.runIn(workspaceId) !== null;
  }

  /**
   * Writes the run with its event, its audit event and its counts, in one statement. At `place` the worker has it from now on,
   * unless others wait, or its workspace or owner has its share there. What a script's run asks for counts for its chain,
   * in the surrounding transaction. What waits for further starts takes the place of one that does, if there is one.
   *
   * @returns null: a limit of the plan does not allow the run, and nothing was written
   */
  async insert(
    run: NewRun,
    by: WorkspaceCaller,
    limits: RunLimits,
    place: RunPlace | null,
    also: AlsoRecorded | null,
  ): Promise<WrittenRun | null> {
    const { workspaceId } = run;
    const eventId = newId('event');
    const causedBy = this.causes.runIn(workspaceId);
    // What asks stands before what it asks for: the chain of a script's run goes on, also where it reruns another.
    const cause = causedBy === null ? {} : { causeType: 'run' as const, causeId: causedBy };
    const bytes = Buffer.byteLength(run.inputs.text);
    const position = causedBy === null ? NO_CHAIN : await this.chains.count(causedBy, [bytes], eventId);
    const parts = keyPartsOf(run);
    const templates = labelParts(run.labelTemplates);
    const { traceparent } = this.tracing;
    const asked = { ...run, ...cause, ...position, traceparent };
    const gathered = await this.gathered(asked, parts, by);
    const id = gathered?.id ?? run.id;
    const entries = entriesOf({ ...run, id }, by, also);
    if (gathered?.made === null) {
      await this.audit.recordMany(entries);
      return { id, claimed: null, isUnplaceable: false };
    }
    const held = run.approvalRequestId !== null;
    const row = { ...asked, ...NOT_DEBOUNCED, ...gathered?.made };
    const statement = INSERT_RUN({
      ...row,
      ...limits,
      ...(place ?? NO_PLACE),
      keyParts: parts && JSON.stringify(parts),
      labels: JSON.stringify(run.labels),
      labelParts: templates && JSON.stringify(templates),
      status: held ? 'awaiting_approval' : 'running',
      waiting: held ? 'held' : firstPhase(row),
      inputs: run.inputs.text,
      eventId,
      auditEvents: auditEvents(entries),
    });
    const written = await this.database.one<MadeRun>(...statement);
    if (!written) return null;
    this.outbox.wake();
    if (written.concurrencyKey !== null) this.waker.wake(RUN_TURNS, [written.concurrencyKey]);
    const { isUnplaceable } = written;
    return { id, claimed: written.claim > 0 ? written : null, isUnplaceable };
  }

  /** What became of a start that waits for further ones; null: it does not. */
  private async gathered(
    run: NewRun & ChainPosition & Pick<Run, 'traceparent'>,
    parts: KeyPart[] | null,
    by: WorkspaceCaller,
  ): Promise<Debounced | null> {
    const { debounce } = run;
    if (debounce === null) return null;
    const guestId = by.role === 'guest' ? by.person!.id : null;
    const row = {
      ...run,
      keyParts: parts,
      labelParts: labelParts(run.labelTemplates),
      scheduleId: null,
      triggerId: null,
      hookId: null,
    };
    return (await this.debounce.gather([{ run: row, debounce, guestId }]))[0]!;
  }
}

function entriesOf(
  { id, workspaceId, version }: Pick<Run, 'id' | 'workspaceId' | 'version'>,
  by: WorkspaceCaller,
  also: AlsoRecorded | null,
): AuditEntry[] {
  const started: AuditEntry = { workspaceId, by, action: 'run.started', target: { type: 'run', id } };
  if (!also) return [started];
  return [started, { ...also, workspaceId, by, details: { ...also.details, run: id, version } }];
}
