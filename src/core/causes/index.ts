export { CausesModule } from './causes.module.js';
export { Causes } from './causes.js';
export { RUN_HEADER, RunTokens } from './run-tokens.js';
