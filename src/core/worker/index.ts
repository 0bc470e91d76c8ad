export { BoxGate } from './box-gate.js';
export { WorkerDirectory } from './worker-directory.js';
export { GateProcessService } from './gate-process.service.js';
export { WorkerModule } from './worker.module.js';
