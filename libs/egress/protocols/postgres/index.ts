export type { PostgresOptions } from './postgres-options.js';
export { type PostgresParts, PostgresProtocol } from './postgres-protocol.js';
