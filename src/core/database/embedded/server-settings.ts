/** Longest path of a Unix socket on Linux, in bytes: `sun_path` less its closing zero. */
const SOCKET_PATH_LIMIT = 107;
const SOCKET_PORT = 5432;
/** Which server the socket beside it belongs to. */
export const SOCKET_LOCK = `.s.PGSQL.${SOCKET_PORT}.lock`;

export const ROLE = 'gatehouse';
export const DATABASE = 'gatehouse';

/** Where the server listens: a socket in its own directory, or loopback where that path is too long for one. */
export type Endpoint = { kind: 'socket'; directory: string } | { kind: 'tcp'; port: number };

export function socketFits(directory: string): boolean {
  return Buffer.byteLength(`${directory}/.s.PGSQL.${SOCKET_PORT}`) <= SOCKET_PATH_LIMIT;
}

export function urlOf(endpoint: Endpoint, password: string): string {
  const port = endpoint.kind === 'tcp' ? endpoint.port : SOCKET_PORT;
  const host = endpoint.kind === 'tcp' ? '127.0.0.1' : 'localhost';
  const url = `postgresql://${ROLE}:${password}@${host}:${port}/${DATABASE}`;
  return endpoint.kind === 'tcp' ? url : `${url}?host=${encodeURIComponent(endpoint.directory)}`;
}

/** Durable, and small while idle. `overrides` win. */
export function postgresqlConf(endpoint: Endpoint, overrides: Record<string, string> = {}): string {
  const settings: Record<string, string> = {
    listen_addresses: endpoint.kind === 'tcp' ? '127.0.0.1' : '',
    port: String(endpoint.kind === 'tcp' ? endpoint.port : SOCKET_PORT),
    // Relative to the data directory, in which the server runs: no quoting, and no limit on its side.
    unix_socket_directories: endpoint.kind === 'tcp' ? '' : '.',
    unix_socket_permissions: '0700',
    password_encryption: 'scram-sha-256',
    // Iterations protect weak passwords; ours is 192 random bits, and connecting is cheaper without.
    scram_iterations: '1',

    max_connections: '100',
    shared_buffers: '64MB',
    dynamic_shared_memory_type: 'posix',
    huge_pages: 'off',
    jit: 'off',
    random_page_cost: '1.1',

    fsync: 'on',
    synchronous_commit: 'on',
    max_wal_size: '512MB',

    // One server, no replicas: each of these saves processes or writing.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    io_method: 'sync',
    max_worker_processes: '4',
    max_parallel_workers: '2',

    // Only what the server says of itself. A statement's error goes to its client; its text and values may be secret.
    log_destination: 'stderr',
    log_line_prefix: '%m [%p] ',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_statement: 'none',
    log_min_duration_statement: '-1',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_checkpoints: 'off',
    log_autovacuum_min_duration: '-1',

    timezone: 'UTC',
    log_timezone: 'UTC',
    datestyle: 'iso, mdy',
    lc_messages: 'C',
    default_text_search_config: 'pg_catalog.simple',
    ...overrides,
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replace(/['\\]/g, '$&$&')}'`,
  );
  return `# Written by Gatehouse at each start; changes are lost.\n${lines.join('\n')}\n`;
}

/** The application's role only, by password only: the superuser cannot be reached over any connection. */
export const PG_HBA_CONF = [
  `local all ${ROLE} scram-sha-256`,
  `host all ${ROLE} 127.0.0.1/32 scram-sha-256`,
  '',
].join('\n');
