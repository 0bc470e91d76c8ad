export { FailuresModule } from './failures.module.js';
