import { Injectable } from '@nestjs/common';

import { Notifications } from '../../core/database/index.js';
import { RunOutputReader } from '../output/run-output-reader.js';
import { BoxProvider } from './box-provider.js';
import type { ClaimedRun } from './claimed-run.js';
import { RunGates } from './run-gates.js';
import { RunEndsService } from './run-ends.service.js';
import { RunExecution } from './run-execution.js';
import { RunExecutionRepository } from './run-execution.repository.js';
import { RunFolderBuilder } from './run-folder-builder.js';
import { RunSecretsResolver } from './run-secrets-resolver.js';
import type { RunTrace } from './run-trace.js';

/** Makes executions with the parts of this worker that they need. */
@Injectable()
export class RunExecutionsService {
  constructor(
    private readonly boxes: BoxProvider,
    private readonly runs: RunExecutionRepository,
    private readonly folders: RunFolderBuilder,
    private readonly secrets: RunSecretsResolver,
    private readonly gates: RunGates,
    private readonly outputs: RunOutputReader,
    private readonly ends: RunEndsService,
    private readonly notifications: Notifications,
  ) {}

  /** The versions that are unpacked on this worker. */
  unpacked(): string[] {
    return this.folders.unpacked();
  }

  of(run: ClaimedRun, trace: RunTrace): RunExecution {
    const { boxes, runs, folders, secrets, gates, outputs, ends, notifications } = this;
    const { sandbox } = boxes;
    const parts = { sandbox, runs, folders, secrets, gates, outputs, ends, notifications };
    return new RunExecution(run, parts, trace);
  }
}
