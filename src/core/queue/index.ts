export { QueueModule } from './queue.module.js';
export { RUNS_QUEUE } from './queues.js';
