/** Who has it deletes bytes of files that nothing refers to, or sees to it that nobody does. */
export const FILE_PRUNER = 'file pruner';

/** SQL, as the next one, since whether bytes are kept depends on the files that refer to them, in the same statement. */
export const DELETE_EXPIRED = `
  WITH due AS (
    SELECT id FROM files WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM files f USING due WHERE f.id = due.id RETURNING f.blob_key
  ), released AS (
    UPDATE file_blobs b SET check_at = now() WHERE b.key IN (SELECT blob_key FROM gone)
  )
  SELECT count(*) AS count FROM gone`;

/** Parts of logs go with their runs, and so at no time that is known. */
export const KEEP_USED = `
  UPDATE file_blobs b SET check_at = GREATEST(used.until, now() + interval '1 minute')
  FROM (
    SELECT blob_key, max(until) AS until FROM (
      SELECT blob_key, expires_at AS until FROM files WHERE blob_key = ANY($1)
      UNION ALL SELECT blob_key, now() + interval '7 days' FROM run_log_parts WHERE blob_key = ANY($1)
    ) AS uses GROUP BY blob_key
  ) AS used
  WHERE b.key = used.blob_key
  RETURNING b.key`;
