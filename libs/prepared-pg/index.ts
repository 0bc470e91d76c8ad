export { PreparingClient } from './preparing-client.js';
export type { NamedStatement } from './prepared-query.js';
export { storableJson } from './storable-json.js';
export { QuietClient } from './quiet-client.js';
