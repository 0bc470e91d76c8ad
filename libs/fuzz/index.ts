export { fuzz } from './fuzz.js';
