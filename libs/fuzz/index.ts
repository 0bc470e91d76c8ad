export { fuzz, type FuzzOptions } from './fuzz.js';
