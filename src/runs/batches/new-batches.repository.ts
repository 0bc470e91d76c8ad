import { Injectable } from '@nestjs/common';

import type { AuditEntry } from '../../audit/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { Causes } from '../../core/causes/index.js';
import { newId } from '../../core/crypto/index.js';
import { Tracing } from '../../core/tracing/index.js';
import { portionsOf } from '../automated/automated-run.portions.js';
import { AutomatedRunsRepository } from '../automated/automated-runs.repository.js';
import type { AutomatedRun } from '../automated/automated-runs.sql.js';
import { labelParts } from '../../scripts/index.js';
import { NOT_DEBOUNCED } from '../debounce/debounce.rules.js';
import type { NewRun } from '../starting/new-runs.repository.js';
import { NO_CHAIN, RunChainService } from '../starting/run-chain.service.js';
import { firstPhase, keyPartsOf } from '../turns/run-turn.rules.js';

/** Writes the runs of a batch, in the statement that also writes those of schedules and triggers. */
@Injectable()
export class NewBatchesRepository {
  constructor(
    private readonly runs: AutomatedRunsRepository,
    private readonly chains: RunChainService,
    private readonly causes: Causes,
    private readonly tracing: Tracing,
  ) {}

  /** In the surrounding transaction: one entry in the audit log, and an event of each run. */
  async insert(batchId: string, runs: readonly NewRun[], by: WorkspaceCaller): Promise<void> {
    const workspaceId = by.workspace.id;
    const causedBy = this.causes.runIn(workspaceId);
    const cause = causedBy === null ? {} : { causeType: 'run' as const, causeId: causedBy };
    const firstEventId = newId('event');
    const sizes = runs.map(({ inputs }) => Buffer.byteLength(inputs.text));
    const position = causedBy === null ? NO_CHAIN : await this.chains.count(causedBy, sizes, firstEventId);
    const made = runs.map(
      ({ concurrency, debounce: _, labelTemplates, ...run }, index): { run: AutomatedRun } => ({
        run: {
          ...run,
          ...cause,
          ...position,
          ...NOT_DEBOUNCED,
          status: 'running',
          phase: firstPhase({ ...run, concurrency }),
          keyParts: keyPartsOf({ ...run, concurrency }),
          labelParts: labelParts(labelTemplates),
          error: null,
          scheduleId: null,
          triggerId: null,
          hookId: null,
          eventId: index === 0 ? firstEventId : newId('event'),
          traceparent: this.tracing.traceparent,
        },
      }),
    );
    const entry: AuditEntry = {
      workspaceId,
      by,
      action: 'run.batch_started',
      target: { type: 'batch', id: batchId },
      details: { script: runs[0]!.scriptSlug, version: runs[0]!.version, runs: runs.length },
    };
    for (const [index, portion] of portionsOf(made).entries()) {
      await this.runs.insert(
        portion.map(({ run }) => run),
        index === 0 ? [entry] : [],
      );
    }
    if (position.chainEventId === firstEventId) await this.chains.begin(firstEventId, sizes);
  }
}
