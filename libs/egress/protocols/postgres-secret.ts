import { isRecord } from '../is-record.js';
import { MAX_NAME_BYTES } from './postgres/lexer.js';
import type { PostgresOptions } from './postgres/index.js';

type SslMode = PostgresOptions['sslmode'];

/** What a secret of the kind `postgres` holds. */
export interface PostgresSecret {
  user: string;
  password: string;
  /** null: whoever connects says which. */
  database: string | null;
  sslmode: SslMode;
  /** PEM of the authorities to trust besides the usual ones. */
  ca: string | null;
}

const FIELDS = ['user', 'password', 'database', 'sslmode', 'ca'];
const SSL_MODES: readonly unknown[] = ['disable', 'require', 'verify-ca', 'verify-full'] satisfies SslMode[];
const MAX_PASSWORD_LENGTH = 1024;
const NAME = /^[^\p{Cc}]+$/u;

/** Reads one from JSON. A problem says what is wrong with it, and nothing of what it holds. */
export function parsePostgresSecret(text: string): { secret: PostgresSecret } | { problem: string } {
  const fields = fieldsOf(text);
  if (fields === null)
    return { problem: 'must be JSON with user and password, and maybe database, sslmode and ca' };
  const unknown = Object.keys(fields).some((name) => !FIELDS.includes(name));
  if (unknown) return { problem: `must have no other fields than ${FIELDS.join(', ')}` };
  const { user, password, database = null, sslmode = 'verify-full', ca = null } = fields;
  const problem =
    nameProblem('user', user) ??
    passwordProblem(password) ??
    (database === null ? null : nameProblem('database', database)) ??
    (SSL_MODES.includes(sslmode) ? null : `must have sslmode as one of ${SSL_MODES.join(', ')}`) ??
    (ca === null || (typeof ca === 'string' && ca.includes('-----BEGIN CERTIFICATE-----'))
      ? null
      : 'must have ca as certificates in PEM');
  return problem === null
    ? { secret: { user, password, database, sslmode, ca } as PostgresSecret }
    : { problem };
}

function fieldsOf(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function nameProblem(field: string, value: unknown): string | null {
  const fits =
    typeof value === 'string' &&
    NAME.test(value) &&
    value.isWellFormed() &&
    Buffer.byteLength(value) <= MAX_NAME_BYTES;
  return fits ? null : `must have ${field}, a name of at most ${MAX_NAME_BYTES} bytes`;
}

function passwordProblem(value: unknown): string | null {
  const fits =
    typeof value === 'string' && value !== '' && value.length <= MAX_PASSWORD_LENGTH && !value.includes('\0');
  return fits ? null : `must have password, a text of at most ${MAX_PASSWORD_LENGTH} characters`;
}
