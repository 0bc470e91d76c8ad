/**
 * Has the stored bytes of runs' files looked at once the files are gone: they are deleted where nothing else refers to them.
 *
 * @param runs a relation with the runs' `id`
 */
export const releaseBlobsOf = (runs: string): string => `
  UPDATE file_blobs b SET check_at = now()
  WHERE b.key IN (SELECT f.blob_key FROM files f JOIN ${runs} AS gone ON f.run_id = gone.id)`;
