export { failureOf, wordsOf } from './failure-of.js';
