export { arraysOf } from './arrays-of.js';
export { AttributedEntity, CreatedEntity, WorkspaceEntity } from './base-entities.js';
export { boundedPage, PAGE_BYTES } from './bounded-page.sql.js';
export { checkDatabase, type DatabaseFacts, placeOfDatabase } from './check-database.js';
export { columns, type Columns, type RowOf } from './columns.js';
export { ConnectionOptions } from './connection-options.js';
export { countSome } from './count-some.js';
export {
  DATABASE_FULL,
  isDatabaseAway,
  isDatabaseFull,
  isOutOfTime,
  isUnstorableText,
  violatedConstraint,
} from './database-errors.js';
export { dataSourceOptions } from './data-source.js';
export { DatabaseModule } from './database.module.js';
export { type Affected, Database, keyOfLock } from './database.js';
export { computed, CREATED, ID, oneOf } from './entity-columns.js';
export { type ExtensionDiff, extensionDiff } from './extension-diff.js';
export { migrateExtension, revertExtension } from './extension-migrations.js';
export { insertColumns } from './insert-columns.js';
export { insertedIfAbsent, insertIfAbsent } from './insert-if-absent.js';
export { newestFirst } from './keyset.js';
export { alone, migrate, TRY_LOCK_TABLES } from './migrate.js';
export { inSeconds, isAhead, isPast, NOW, withinSeconds } from './moments.js';
export { type BoundStatement, named } from './named-parameters.js';
export { Notifications } from './notifications.js';
export { keysetPage, type ListIdentity, type Page, type PageRequest, wholeList } from './page.js';
export { assertWholeCopy, type CopyState, copyState, RESTORED_COPY } from './restored-copy.js';
export { returnedRow } from './returned-row.js';
export { type SchemaStatus, schemaStatus, waitingMigrations } from './schema-status.js';
export type { TrailingInsert } from './trailing-rows.js';
