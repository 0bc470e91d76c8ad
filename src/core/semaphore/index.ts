export { FairSemaphore, SemaphoreBusy } from './fair-semaphore.js';
