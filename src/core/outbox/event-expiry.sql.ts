/**
 * Deletes events that were dispatched and are older than an interval. Ids begin with the time, so the oldest ones are a range
 * of an index that is there anyway; ids are made by processes, so the database's own time decides.
 *
 * Parameters: the id to stop before, the age in milliseconds, and how many at most.
 *
 * @param mayGo condition on an event `e`: nobody refers to it any more
 */
export function deleteOldEvents(mayGo: string): string {
  return `
  WITH due AS MATERIALIZED (
    SELECT e.id FROM events e
    WHERE e.id < $1 AND e.dispatched_at IS NOT NULL
      AND e.created_at < now() - $2::float8 * interval '1 millisecond' AND ${mayGo}
    ORDER BY e.id LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM events e USING due WHERE e.id = due.id`;
}
