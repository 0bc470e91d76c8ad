export { CausesModule } from './causes.module.js';
export { Causes } from './causes.js';
export type { CausingRun } from '../http/index.js';
export { RUN_HEADER, RunTokens } from './run-tokens.js';
