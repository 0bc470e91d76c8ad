import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { DatabasePrograms } from './database-programs.fixture.js';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { findRunning, isPostmasterOf } from './postmaster.js';

const isRoot = process.getuid!() === 0;
let temporary: string;
let programs: DatabasePrograms;
let children: ChildProcess[] = [];
let servers: EmbeddedPostgres[] = [];

beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), 'gatehouse-pg-'));
  // The other users of the tests below pass through here.
  chmodSync(temporary, 0o755);
  programs = new DatabasePrograms(join(temporary, 'app'));
});

afterEach(async () => {
  programs.killAll();
  for (const child of children) child.kill('SIGKILL');
  for (const server of servers) await server.stop();
  children = [];
  servers = [];
});

// A whole database is many files.
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

describe('EmbeddedPostgres', () => {
  it('keeps what was stored over a restart, and leaves no process behind', async () => {
    const dataDir = join(temporary, 'restart');
    const first = server(dataDir);
    const { url } = await first.start();
    await query(url, 'CREATE TABLE kept (value text)');
    await query(url, "INSERT INTO kept VALUES ('yes')");
    const { pid } = (await findRunning(join(dataDir, 'postgres')))!;
    await first.stop();
    expect(isPostmasterOf(join(dataDir, 'postgres'), pid)).toBe(false);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);

    const again = await server(dataDir).start();
    expect(again.url).toBe(url);
    expect(await query(url, 'SELECT value FROM kept')).toEqual([{ value: 'yes' }]);
    expect(await EmbeddedPostgres.runningUrl(dataDir)).toBe(url);
  });

  it('is durable, without a network port, and closed to others and to the superuser', async () => {
    const dataDir = join(temporary, 'restart');
    const { url } = await server(dataDir).start();
    const [settings] = await query(
      url,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
              current_setting('listen_addresses') AS listen, current_setting('server_encoding') AS encoding,
              (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS super`,
    );
    expect(settings).toEqual({ fsync: 'on', commit: 'on', listen: '', encoding: 'UTF8', super: false });
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600);
    await expect(query(url.replace('gatehouse:', 'postgres:'), 'SELECT 1')).rejects.toThrow(/pg_hba/);
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(/password/);
  });

  it('never logs a statement, its values, or the row that broke a constraint', async () => {
    const dataDir = join(temporary, 'restart');
    const { url } = await server(dataDir).start();
    await query(url, 'CREATE TABLE quiet (value text PRIMARY KEY)');
    await query(url, 'INSERT INTO quiet VALUES ($1)', ['s3cret-value']);
    await expect(query(url, 'INSERT INTO quiet VALUES ($1)', ['s3cret-value'])).rejects.toThrow(/duplicate/);
    await expect(query(url, "SELECT 's3cret-literal'::int")).rejects.toThrow(/integer/);
    expect(readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8')).not.toContain('s3cret');
  });

  it('is not reached by the signals of our terminal', async () => {
    const dataDir = join(temporary, 'restart');
    await server(dataDir).start();
    const { pid } = (await findRunning(join(dataDir, 'postgres')))!;
    expect(processGroup(pid)).not.toBe(processGroup(process.pid));
  });

  it('refuses a directory that a living process holds, and says which', async () => {
    const dataDir = join(temporary, 'restart');
    await server(dataDir).start();
    await expect(server(dataDir).start()).rejects.toThrow(
      `already runs on ${dataDir} (process ${process.pid})`,
    );
  });

  it('takes over the server of a process that was killed', async () => {
    const dataDir = join(temporary, 'orphan');
    const child = await programs.start(dataDir);
    await query(child.url, 'CREATE TABLE kept (value int)');
    const before = (await findRunning(join(dataDir, 'postgres')))!;
    child.process.kill('SIGKILL');
    await once(child.process, 'exit');

    const messages: string[] = [];
    const next = new EmbeddedPostgres({ dataDir, log: (message) => messages.push(message) });
    servers.push(next);
    expect((await next.start()).url).toBe(child.url);
    expect((await findRunning(join(dataDir, 'postgres')))!.pid).toBe(before.pid);
    expect(messages.join()).toContain('left running');
    expect(await query(child.url, 'SELECT * FROM kept')).toEqual([]);
    await next.stop();
    expect(isPostmasterOf(join(dataDir, 'postgres'), before.pid)).toBe(false);
  });

  it('starts after server and process were both killed, also when the process id went to another', async () => {
    const dataDir = join(temporary, 'orphan');
    const child = await programs.start(dataDir);
    await query(child.url, 'INSERT INTO kept VALUES (1)');
    const directory = join(dataDir, 'postgres');
    child.process.kill('SIGKILL');
    process.kill((await findRunning(directory))!.pid, 'SIGKILL');
    const pidFile = join(directory, 'postmaster.pid');
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(process.pid)));

    const { url } = await server(dataDir).start();
    expect(await query(url, 'SELECT * FROM kept')).toEqual([{ value: 1 }]);
  });

  it.each([
    ['a process that has its id by now', 'stranger', () => process.pid],
    ['one that was killed and never reaped', 'zombie', zombie],
  ])('starts although the lock of the socket names %s', async (_, folder, owner) => {
    const dataDir = join(temporary, folder);
    const child = await programs.start(dataDir);
    await query(child.url, 'CREATE TABLE kept AS SELECT 1 AS value');
    const directory = join(dataDir, 'postgres');
    child.process.kill('SIGKILL');
    process.kill((await findRunning(directory))!.pid, 'SIGKILL');
    const pid = await owner();
    for (const name of ['.s.PGSQL.5432.lock', 'postmaster.pid']) {
      const path = join(directory, name);
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, String(pid)));
    }

    const { url } = await server(dataDir).start();
    expect(await query(url, 'SELECT * FROM kept')).toEqual([{ value: 1 }]);
  });

  it('goes on trying to start a server that does not start, and says so', async () => {
    const dataDir = join(temporary, 'orphan');
    const messages: string[] = [];
    const owner = new EmbeddedPostgres({ dataDir, log: (message) => messages.push(message) });
    servers.push(owner);
    const { url } = await owner.start();
    const nonsense = join(dataDir, 'postgres', 'postgresql.auto.conf');
    writeFileSync(nonsense, 'nonsense = 1\n');
    process.kill((await findRunning(join(dataDir, 'postgres')))!.pid, 'SIGKILL');
    await expect.poll(() => owner.problem).toMatch(/attempt (?:[2-9]|\d\d)/);
    expect(messages.join('\n')).toMatch(/nonsense[^]*trying again in 1 s/);

    rmSync(nonsense);
    await expect.poll(() => query(url, 'SELECT 1 AS one').catch(() => null)).toEqual([{ one: 1 }]);
    await expect.poll(() => owner.problem).toBe(null);
    expect(messages.at(-1)).toContain('runs again');
  });

  it('starts the server again when it dies on its own', async () => {
    const dataDir = join(temporary, 'orphan');
    const { url } = await server(dataDir).start();
    process.kill((await findRunning(join(dataDir, 'postgres')))!.pid, 'SIGKILL');
    await expect.poll(() => query(url, 'SELECT 1 AS one').catch(() => null)).toEqual([{ one: 1 }]);
  });

  it('sets a new password where the old one was lost', async () => {
    const dataDir = join(temporary, 'orphan');
    rmSync(join(dataDir, 'postgres.json'));
    const { url } = await server(dataDir).start();
    expect(await query(url, 'SELECT * FROM kept')).toEqual([{ value: 1 }]);
  });

  it('makes the database anew when its making was cut short', async () => {
    const dataDir = join(temporary, 'cut-short');
    const child = programs.spawn(dataDir);
    await expect
      .poll(() => globSync('*incomplete*/PG_VERSION', { cwd: dataDir }), { interval: 5 })
      .toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);

    const { url } = await server(dataDir).start();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('falls back to loopback where the path is too long for a socket', async () => {
    const dataDir = join(temporary, 'long'.repeat(30));
    const { url } = await server(dataDir).start();
    expect(url).toMatch(/@127\.0\.0\.1:\d+\/gatehouse$/);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('works in a directory with spaces and quotes', async () => {
    const { url } = await server(join(temporary, `it's a "dir" %20 ü`)).start();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('will not touch a directory that is something else', async () => {
    const dataDir = join(temporary, 'other');
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres', 'thesis.txt'), 'mine');
    await expect(server(dataDir).start()).rejects.toThrow('is not a PostgreSQL data directory');
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '14\n');
    await expect(server(dataDir).start()).rejects.toThrow('made by PostgreSQL 14');
  });

  // Another user can be tried by root only; an ordinary user is one in every test above.
  if (isRoot) {
    it('as root, also below a folder that only another user may enter', async () => {
      const folder = join(temporary, 'of-somebody');
      mkdirSync(folder, { mode: 0o700 });
      chownSync(folder, 12345, 12345);
      const { url } = await server(join(folder, 'data')).start();
      expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });

    it.each([
      ['that has a name', 65534],
      ['that has none', 12345],
    ])('as an ordinary user %s', async (_, uid) => {
      const home = join(temporary, `home-${uid}`);
      mkdirSync(home, { mode: 0o700 });
      chownSync(home, uid, uid);
      const child = await programs.start(join(home, 'data'), uid);
      const [row] = await query(child.url, 'SELECT current_user AS name');
      expect(row).toEqual({ name: 'gatehouse' });
      expect(statSync(join(home, 'data', 'postgres')).uid).toBe(uid);
      const { pid } = (await findRunning(join(home, 'data', 'postgres')))!;
      child.process.stdin!.end();
      await once(child.process, 'exit');
      expect(isPostmasterOf(join(home, 'data', 'postgres'), pid)).toBe(false);
      await expect(server(join(home, 'data')).start()).rejects.toThrow(`belongs to user ${uid}`);
    });
  }
});

function server(dataDir: string): EmbeddedPostgres {
  const made = new EmbeddedPostgres({ dataDir });
  servers.push(made);
  return made;
}

async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql, values)).rows as Record<string, unknown>[];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The id of a process that has ended and whose parent never asks how. */
async function zombie(): Promise<number> {
  const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(parent);
  const [pid] = (await once(createInterface(parent.stdout), 'line')) as [string];
  const state = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]![0]!;
  await expect.poll(state).toBe('Z');
  return Number(pid);
}

function processGroup(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[2]!;
}
