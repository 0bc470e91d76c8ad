/** How connections to one PostgreSQL host are served, as it goes to the gate's process: JSON. */
export interface PostgresOptions {
  /** null: no secret is attached; the box's own user and password go through as they are. */
  credentials: { user: string; password: string } | null;
  /** The only one that may be opened, whatever the client asks for; null: the client's. */
  database: string | null;
  /** Outward. As in libpq, `require` verifies nothing, or the chain where there is a `ca`. */
  sslmode: 'disable' | 'require' | 'verify-ca' | 'verify-full';
  /** PEM, besides the usual authorities. */
  ca: string | null;
  /** That of the session, which the client cannot leave. */
  role: string | null;
  readOnly: boolean;
  /** What may write waits for a person. Absent: it does not. */
  asks?: boolean;
  statementTimeoutMs: number | null;
  maxConnections: number;
}

/** Whether what the client says has to be read, and not only followed. */
export function isJudged({ role, readOnly, statementTimeoutMs }: PostgresOptions): boolean {
  return readOnly || role !== null || statementTimeoutMs !== null;
}
