import { Module } from '@nestjs/common';

import { ApprovalsModule } from '../approvals/index.js';
import { FilesModule } from '../files/files.module.js';
import { ScriptsModule } from '../scripts/scripts.module.js';
import { RunStart } from './actions/run-start.action.js';
import { RunExecutionRepository } from './execution/run-execution.repository.js';
import { HeldRunsRepository } from './held-runs.repository.js';
import { RunLogController } from './log/run-log.controller.js';
import { RunLogRepository } from './log/run-log.repository.js';
import { RunLogStream } from './log/run-log.stream.js';
import { RunVisibility } from './log/run-visibility.js';
import { RunEventTypes } from './run.event-types.js';
import { RunExpiryRepository } from './run-expiry.repository.js';
import { RunSweeper } from './run-sweeper.js';
import { RunsController } from './runs.controller.js';
import { RunsRepository } from './runs.repository.js';
import { RunsService } from './runs.service.js';
import { SystemRuns } from './system-runs.service.js';
import { SystemRunsRepository } from './system-runs.repository.js';

/** Runs, as whoever starts them sees them. `RunWorkerModule` carries them out. */
@Module({
  imports: [ApprovalsModule, ScriptsModule, FilesModule],
  controllers: [RunsController, RunLogController],
  providers: [
    HeldRunsRepository,
    RunEventTypes,
    RunExecutionRepository,
    RunExpiryRepository,
    RunLogRepository,
    RunLogStream,
    RunStart,
    RunSweeper,
    RunVisibility,
    RunsRepository,
    RunsService,
    SystemRuns,
    SystemRunsRepository,
  ],
  exports: [RunExecutionRepository, RunsService, SystemRuns],
})
export class RunsModule {}
