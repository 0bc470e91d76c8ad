/** Columns that name bytes in the `BlobStore`, by table. What is not named here is in no backup. */
export const BLOB_COLUMNS: Record<string, readonly string[]> = {
  builds: ['archive_key', 'deps_key'],
  files: ['blob_key'],
  script_versions: ['archive_key', 'deps_key'],
};

/** Every key once, in order. */
export const BLOB_KEYS = `
  SELECT DISTINCT key FROM (${Object.entries(BLOB_COLUMNS)
    .flatMap(([table, columns]) =>
      columns.map((column) => `SELECT ${column} COLLATE "C" AS key FROM ${table}`),
    )
    .join(' UNION ALL ')}) named
  WHERE key IS NOT NULL ORDER BY key`;
