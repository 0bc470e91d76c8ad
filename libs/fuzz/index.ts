export { fuzz, rounds } from './fuzz.js';
