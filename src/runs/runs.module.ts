import { type DynamicModule, Module } from '@nestjs/common';

import { ApprovalsModule } from '../approvals/index.js';
import type { Settings } from '../core/config/settings.js';
import { FilesModule } from '../files/files.module.js';
import { ScriptsModule } from '../scripts/scripts.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { RunStart } from './actions/run-start.action.js';
import { BoxProvider } from './execution/box-provider.js';
import { Gates } from './execution/gates.js';
import { RunDispatcher } from './execution/run-dispatcher.js';
import { RunExecutionRepository } from './execution/run-execution.repository.js';
import { RunInputs } from './execution/run-inputs.js';
import { RunSecrets } from './execution/run-secrets.js';
import { RunsProcessor } from './execution/runs.processor.js';
import { VersionCache } from './execution/version-cache.js';
import { Outputs } from './output/outputs.js';
import { RunLogController } from './log/run-log.controller.js';
import { RunLogRepository } from './log/run-log.repository.js';
import { RunLogStream } from './log/run-log.stream.js';
import { RunVisibility } from './log/run-visibility.js';
import { HeldRunsRepository } from './held-runs.repository.js';
import { RunDispatch } from './run-dispatch.js';
import { RunEventTypes } from './run.event-types.js';
import { RunSweeper } from './run-sweeper.js';
import { RunWaiter } from './run-waiter.js';
import { RunsController } from './runs.controller.js';
import { RunsRepository } from './runs.repository.js';
import { RunsService } from './runs.service.js';
import { SystemRuns } from './system-runs.service.js';
import { SystemRunsRepository } from './system-runs.repository.js';

const API = [RunsService, RunsRepository, RunWaiter, RunLogRepository, RunLogStream, RunVisibility];
const BOTH = [
  HeldRunsRepository,
  RunDispatch,
  RunEventTypes,
  RunStart,
  RunSweeper,
  RunExecutionRepository,
  SystemRuns,
  SystemRunsRepository,
];
const WORKER = [
  BoxProvider,
  Gates,
  Outputs,
  RunDispatcher,
  RunInputs,
  RunSecrets,
  RunsProcessor,
  VersionCache,
];

/** Runs: their routes where a process serves the API, their execution where it is a worker. */
@Module({})
export class RunsModule {
  static for(settings: Settings): DynamicModule {
    return {
      module: RunsModule,
      imports: [ApprovalsModule, ScriptsModule, FilesModule, SecretsModule],
      controllers: settings.servesApi ? [RunsController, RunLogController] : [],
      providers: [...BOTH, ...API, ...(settings.runsScripts ? WORKER : [])],
      exports: [RunsService, SystemRuns],
    };
  }
}
