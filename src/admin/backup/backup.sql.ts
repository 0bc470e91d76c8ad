/** Columns that name bytes in the `BlobStore`, by table. What is not named here is in no backup. */
const BLOB_COLUMNS: Record<string, readonly string[]> = {
  builds: ['archive_key', 'deps_key'],
  files: ['blob_key'],
  run_log_parts: ['blob_key'],
  script_versions: ['archive_key', 'deps_key'],
};

/** Every key once, in order. SQL, as the next ones: asked of the connection of a snapshot, or before an application is there. */
export const BLOB_KEYS = `
  SELECT DISTINCT key FROM (${Object.entries(BLOB_COLUMNS)
    .flatMap(([table, columns]) =>
      columns.map((column) => `SELECT ${column} COLLATE "C" AS key FROM ${table}`),
    )
    .join(' UNION ALL ')}) named
  WHERE key IS NOT NULL ORDER BY key`;

/** Which master keys have sealed the keys of workspaces. */
export const MASTER_KEY_IDS = 'SELECT DISTINCT master_key_id FROM workspace_keys';

/** What runs on a database that is somewhere, perhaps with tables of an earlier version. */
export const RUNNING = `SELECT role FROM instances WHERE seen_at > now() - interval '40 seconds'`;
