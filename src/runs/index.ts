export {
  type AutomatedRunOrder,
  type CausingRun,
  type FittedInputs,
  MOST_HOPS,
} from './automated/automated-run-order.js';
export { inputPortions } from './automated/automated-run.portions.js';
export { AutomatedRunsService } from './automated/automated-runs.service.js';
export { BACKLOG, RunBacklog } from './automated/run-backlog.js';
export { RunBatchInput } from './batches/run-batch.dto.js';
export { RunBatchesService } from './batches/run-batches.service.js';
export { RunWorkerModule } from './execution/run-worker.module.js';
export { RunLogQuery } from './log/run-log.dto.js';
export { RunLogService } from './log/run-log.service.js';
export { FailureReader } from './output/failure-reader.js';
export { cutToBytes, storableJson, storableText } from './output/storable-text.js';
export { PlannedRequestsService } from './plans/planned-requests.service.js';
export {
  ProofModule,
  type ProofReport,
  proveHere,
  type SignedReport,
  signReport,
  type Verdict,
  verifyReport,
  type WallResult,
} from './proof/index.js';
export { READ_RUNS, READ_STATISTICS, START_RUNS } from './run-access.js';
export { RunListQuery } from './run-list.dto.js';
export { HeldRunDto, RunScriptDto } from './run.dto.js';
export { RunInput } from './run-input.dto.js';
export { RunsModule } from './runs.module.js';
export { RunsService } from './runs.service.js';
export { RunOutcomesService, type RunWait, type StartedRun } from './starting/run-outcomes.service.js';
export { RunStartsService } from './starting/run-starts.service.js';
export { RunStatisticsQuery } from './statistics/run-statistics.dto.js';
export { RunStatisticsService } from './statistics/run-statistics.service.js';
export { stricterPolicy } from './starting/run.policy.js';
