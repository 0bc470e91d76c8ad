/** SQL: a lock on no row. */
export const LOCK = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS ours';
