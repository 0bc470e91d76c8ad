/** PostgreSQL's error classes that mean: the server is away, going or coming, and the same request may work soon. */
const AWAY = /^(08|57P0[123]|53[0-9]{3}|25P03|40001|40P01)/;
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EAGAIN',
]);
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Connection ended|after a stream was destroyed|ended by the other party|after calling end on the pool/;
/** What TypeORM says of a transaction whose connection broke between two statements. */
const BROKEN_TRANSACTION = new Set(['QueryRunnerAlreadyReleasedError', 'TransactionNotStartedError']);

interface DatabaseError {
  name?: unknown;
  code?: unknown;
  message?: unknown;
  syscall?: unknown;
  constraint?: unknown;
  driverError?: unknown;
}

/** Whether an error says that the database cannot be reached, rather than that a statement was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  const { name, code, message, syscall } = causeOf(error);
  if (typeof name === 'string' && BROKEN_TRANSACTION.has(name)) return true;
  if (typeof code === 'string') {
    if (AWAY.test(code)) return true;
    if (SOCKET.has(code) && (syscall === 'connect' || syscall === 'read' || syscall === 'write')) return true;
  }
  return typeof message === 'string' && MESSAGES.test(message);
}

/** What is said of it to whoever asked. */
export const DATABASE_FULL =
  'The disk of the database is full. Nothing can be written until its operator makes room.';

/** Whether a write failed because the database's own disk is full. */
export function isDatabaseFull(error: unknown): boolean {
  return causeOf(error).code === '53100';
}

/** Whether a transaction was ended because it and another waited for each other: alone it would have come through. */
export function isDeadlock(error: unknown): boolean {
  const { code } = causeOf(error);
  return code === '40P01' || code === '40001';
}

/** Whether a statement gave up a lock that it waited for, as `lock_timeout` has it. */
export function isLockTimeout(error: unknown): boolean {
  return causeOf(error).code === '55P03';
}

/** Whether a statement was ended because it took longer than it may. */
export function isOutOfTime(error: unknown): boolean {
  return causeOf(error).code === '57014';
}

/** The name of the unique or foreign-key constraint that a statement broke, or null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = causeOf(error);
  return (code === '23505' || code === '23503') && typeof constraint === 'string' ? constraint : null;
}

/** Text that PostgreSQL cannot store (a NUL, a lone surrogate): the client's mistake. */
export function isUnstorableText(error: unknown): boolean {
  const { code } = causeOf(error);
  return code === '22021' || code === '22P05';
}

function causeOf(error: unknown): DatabaseError {
  if (typeof error !== 'object' || error === null) return {};
  const { driverError } = error as DatabaseError;
  return (typeof driverError === 'object' && driverError !== null ? driverError : error) as DatabaseError;
}
