export { ThreadsBusy, WorkTooHeavy } from './threads.errors.js';
export { ThreadsModule } from './threads.module.js';
export { Threads } from './threads.js';
