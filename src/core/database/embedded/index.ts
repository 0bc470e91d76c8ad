export { DataLock } from './data-lock.js';
export { syncDirectory, writePrivately } from './durable-file.js';
export { EmbeddedPostgres } from './embedded-postgres.js';
