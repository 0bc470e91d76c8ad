export { checkRedis, placeOfRedis } from './check-redis.js';
export { QueueModule } from './queue.module.js';
export { QueueProcessor } from './queue-processor.js';
export { RUNS_QUEUE } from './queues.js';
