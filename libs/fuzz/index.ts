export { fuzz, rounds } from './fuzz.js';
export { processorTime } from './processor-time.js';
