/**
 * Has the stored bytes of runs' files and logs looked at once these are gone: they are deleted where nothing else refers to them.
 *
 * @param runs a relation with the runs' `id`
 */
export const releaseBlobsOf = (runs: string): string => `
  UPDATE file_blobs b SET check_at = now()
  WHERE b.key IN (
    SELECT f.blob_key FROM files f JOIN ${runs} AS gone ON f.run_id = gone.id
    UNION ALL SELECT p.blob_key FROM run_log_parts p JOIN ${runs} AS gone ON p.run_id = gone.id)`;

/**
 * Expressions of a `WITH` that delete what of runs' logs lies in the file store, and release its bytes.
 *
 * @param runs a relation with the runs' `id`
 */
export const deleteLogPartsOf = (runs: string): string => `
  parts AS (
    DELETE FROM run_log_parts p USING ${runs} AS gone WHERE p.run_id = gone.id RETURNING p.blob_key
  ), released AS (
    UPDATE file_blobs b SET check_at = now() WHERE b.key IN (SELECT blob_key FROM parts)
  )`;
