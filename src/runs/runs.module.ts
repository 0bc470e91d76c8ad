import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ApprovalsModule } from '../approvals/index.js';
import { FilesModule } from '../files/index.js';
import { QueuesModule } from '../queues/index.js';
import { ScriptsModule, ScriptVersion } from '../scripts/index.js';
import { AutomatedRunsRepository } from './automated/automated-runs.repository.js';
import { AutomatedRunsService } from './automated/automated-runs.service.js';
import { RunBacklog } from './automated/run-backlog.js';
import { RunAttempt } from './attempts/run-attempt.entity.js';
import { RunAttemptsRepository } from './attempts/run-attempts.repository.js';
import { RunExecutionRepository } from './execution/run-execution.repository.js';
import { RunPlaces } from './execution/run-places.js';
import { QuestionSweeper } from './asking/question-sweeper.js';
import { QuestionsRepository } from './asking/questions.repository.js';
import { QuestionsService } from './asking/questions.service.js';
import { RequestSendAction } from './asking/request-send.action.js';
import { BatchInputsService } from './batches/batch-inputs.service.js';
import { NewBatchesRepository } from './batches/new-batches.repository.js';
import { RunBatchesController } from './batches/run-batches.controller.js';
import { RunBatchesService } from './batches/run-batches.service.js';
import { DebouncedRunsRepository } from './debounce/debounced-runs.repository.js';
import { RunDebounceService } from './debounce/run-debounce.service.js';
import { HeldRunsRepository } from './held-runs.repository.js';
import { RunLogController } from './log/run-log.controller.js';
import { LogExpiryRepository } from './log/log-expiry.repository.js';
import { RunLogRepository } from './log/run-log.repository.js';
import { RunLogService } from './log/run-log.service.js';
import { RunLogStream } from './log/run-log.stream.js';
import { RunVisibility } from './log/run-visibility.js';
import { WholeLogReader } from './log/whole-log.reader.js';
import { CancelStepsService } from './operations/cancel-steps.service.js';
import { OperationRunsService } from './operations/operation-runs.service.js';
import { RerunStepsService } from './operations/rerun-steps.service.js';
import { RunOperation } from './operations/run-operation.entity.js';
import { RunOperationWorker } from './operations/run-operation-worker.js';
import { RunOperationsController } from './operations/run-operations.controller.js';
import { RunOperationsRepository } from './operations/run-operations.repository.js';
import { RunOperationsService } from './operations/run-operations.service.js';
import { PlannedRequest } from './plans/planned-request.entity.js';
import { PlannedRequestsController } from './plans/planned-requests.controller.js';
import { PlannedRequestsRepository } from './plans/planned-requests.repository.js';
import { PlannedRequestsService } from './plans/planned-requests.service.js';
import { RunPlacingRepository } from './placing/run-placing.repository.js';
import { RunPlacingService } from './placing/run-placing.service.js';
import { Run } from './run.entity.js';
import { RunMetrics } from './run-metrics.js';
import { RunEventTypes } from './run.event-types.js';
import { RunExpiryRepository } from './run-expiry.repository.js';
import { RunSweeper } from './run-sweeper.js';
import { RunsController } from './runs.controller.js';
import { RunsRepository } from './runs.repository.js';
import { RunsService } from './runs.service.js';
import { RunSearchService } from './search/run-search.service.js';
import { RunWords } from './search/run-words.entity.js';
import { RunWordsReader } from './search/run-words-reader.js';
import { RunWordsRepository } from './search/run-words.repository.js';
import { UnreadRuns } from './search/unread-runs.entity.js';
import { UnreadRunsCollector } from './search/unread-runs.collector.js';
import { NewRunsRepository } from './starting/new-runs.repository.js';
import { RunCreationService } from './starting/run-creation.service.js';
import { RunChainService } from './starting/run-chain.service.js';
import { RunOutcomesService } from './starting/run-outcomes.service.js';
import { RunStartsService } from './starting/run-starts.service.js';
import { RunEndsCounter } from './statistics/run-ends-counter.js';
import { RunEndSighting } from './statistics/run-end-sighting.entity.js';
import { RunStatistic } from './statistics/run-statistic.entity.js';
import { RunStatisticsController } from './statistics/run-statistics.controller.js';
import { RunEndSightingsRepository } from './statistics/run-end-sightings.repository.js';
import { RunStatisticsRepository } from './statistics/run-statistics.repository.js';
import { RunStatisticsService } from './statistics/run-statistics.service.js';
import { RunStartAction } from './run.actions.js';
import { RunClock } from './run-clock.js';
import { QueuePlacesRepository } from './turns/queue-places.repository.js';
import { DueRunsRepository } from './due/due-runs.repository.js';
import { DueRunsService } from './due/due-runs.service.js';
import { RunTurnsRepository } from './turns/run-turns.repository.js';
import { RunTurnsService } from './turns/run-turns.service.js';

/** Runs, as whoever starts them sees them. `RunWorkerModule` carries them out. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      ...[PlannedRequest, Run, RunAttempt, RunEndSighting, RunOperation],
      ...[RunStatistic, RunWords, ScriptVersion, UnreadRuns],
    ]),
    ApprovalsModule,
    QueuesModule,
    ScriptsModule,
    FilesModule,
  ],
  // Its routes are also such of `runs/:runId`, so they come first.
  controllers: [
    RunOperationsController,
    RunStatisticsController,
    RunsController,
    RunBatchesController,
    RunLogController,
    PlannedRequestsController,
  ],
  providers: [
    AutomatedRunsRepository,
    AutomatedRunsService,
    BatchInputsService,
    CancelStepsService,
    DebouncedRunsRepository,
    DueRunsRepository,
    DueRunsService,
    HeldRunsRepository,
    NewBatchesRepository,
    NewRunsRepository,
    OperationRunsService,
    QuestionSweeper,
    QuestionsRepository,
    QuestionsService,
    PlannedRequestsRepository,
    PlannedRequestsService,
    QueuePlacesRepository,
    RequestSendAction,
    RerunStepsService,
    RunAttemptsRepository,
    RunBacklog,
    RunBatchesService,
    RunCreationService,
    RunChainService,
    RunClock,
    RunDebounceService,
    RunEndsCounter,
    RunEventTypes,
    RunExecutionRepository,
    LogExpiryRepository,
    RunExpiryRepository,
    RunLogRepository,
    RunLogService,
    RunLogStream,
    RunMetrics,
    RunOperationWorker,
    RunOperationsRepository,
    RunOperationsService,
    RunOutcomesService,
    RunPlaces,
    RunPlacingRepository,
    RunPlacingService,
    RunSearchService,
    RunStartAction,
    RunStartsService,
    RunEndSightingsRepository,
    RunStatisticsRepository,
    RunStatisticsService,
    RunSweeper,
    RunTurnsRepository,
    RunTurnsService,
    RunVisibility,
    RunWordsReader,
    RunWordsRepository,
    RunsRepository,
    RunsService,
    UnreadRunsCollector,
    WholeLogReader,
  ],
  exports: [
    AutomatedRunsService,
    QuestionsService,
    PlannedRequestsRepository,
    PlannedRequestsService,
    RunAttemptsRepository,
    RunBacklog,
    RunBatchesService,
    RunExecutionRepository,
    RunLogService,
    RunMetrics,
    RunOutcomesService,
    RunPlaces,
    RunStartsService,
    RunStatisticsService,
    RunsService,
  ],
})
export class RunsModule {}
