export { rowsOf, withConnection } from './connected.js';
export type { CarriedOut, DatabaseContent, SequenceState, TableShape } from './database-content.js';
export { DatabaseSnapshot } from './database-snapshot.js';
export { loadDatabase } from './load-database.js';
export { type RehearsedMigration, rehearseMigrations } from './rehearse-migrations.js';
export { lockTables, resumeCopy, stateOf } from './copy-mark.js';
