export {
  type AutomatedRunOrder,
  type CausingRun,
  type FittedInputs,
  MOST_HOPS,
} from './automated/automated-run-order.js';
export { inputPortions } from './automated/automated-run.portions.js';
export { AutomatedRunsService } from './automated/automated-runs.service.js';
export { BACKLOG, RunBacklog } from './automated/run-backlog.js';
export { RunWorkerModule } from './execution/run-worker.module.js';
export { RunLogQuery } from './log/run-log.dto.js';
export { RunLogService } from './log/run-log.service.js';
export { cutToBytes, storableText } from './output/storable-text.js';
export { READ_RUNS, START_RUNS } from './run-access.js';
export { HeldRunDto, RunScriptDto } from './run.dto.js';
export { RunInput } from './run-input.dto.js';
export { RunsModule } from './runs.module.js';
export { Run } from './run.entity.js';
export { RunsService } from './runs.service.js';
export { RunOutcomesService, type RunWait, type StartedRun } from './starting/run-outcomes.service.js';
export { RunStartsService } from './starting/run-starts.service.js';
export { stricterPolicy } from './starting/run.policy.js';
