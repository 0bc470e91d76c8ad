export { parseExactly, stringifyExactly } from './exact-json.js';
export { isExact, isExactEnough } from './exact-number.js';
export { endOfText, scanJson } from './scan-json.js';
