export { inTime, TimeIsOver } from './in-time.js';
export { untilAborted } from './until-aborted.js';
