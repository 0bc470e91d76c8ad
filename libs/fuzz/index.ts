export { fuzz, rounds, type FuzzOptions } from './fuzz.js';
