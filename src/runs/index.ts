export type { AutomatedRunOrder, RefusedOrder } from './automated/automated-run-order.js';
export { AutomatedRunsService } from './automated/automated-runs.service.js';
export { RunWorkerModule } from './execution/run-worker.module.js';
export type { HeldRunDto } from './run.dto.js';
export { RunsModule } from './runs.module.js';
