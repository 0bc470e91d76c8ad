export { WorkerDirectory } from './worker-directory.js';
export { WorkerGate } from './worker-gate.js';
export { WorkerModule } from './worker.module.js';
