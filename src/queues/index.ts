export { QUEUE_NAME, QUEUE_NAME_RULE } from './queue-name.js';
export { QueueHooks, type QueueListener } from './queue-hooks.js';
export { QueuesModule } from './queues.module.js';
export { QueuesService } from './queues.service.js';
