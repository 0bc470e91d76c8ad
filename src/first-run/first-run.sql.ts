/** Any fixed number that no other lock of ours or the queue's has. */
const LOCK = 7_203_914_552;

/** SQL: a setting of one connection. */
export const LONG_STATEMENTS = "SET statement_timeout = '10min'";

/** SQL: a lock on no row. */
export const TAKE_TURN = `SELECT pg_advisory_lock(${LOCK})`;
