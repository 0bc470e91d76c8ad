/** SQL: ids begin with the time, so the oldest are a range of the primary key. The database's own clock decides. */
export const DELETE_AUDIT_EVENTS = `
  WITH due AS MATERIALIZED (
    SELECT id FROM audit_events WHERE id < $1 AND created_at < now() - $2::float8 * interval '1 millisecond'
    ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM audit_events a USING due WHERE a.id = due.id`;
