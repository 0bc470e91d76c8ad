import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type NetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { CertificateAuthority, createLeafKey } from '../../libs/egress/index.js';
import { freePort } from '../../libs/testing/index.js';
import { checkDatabase } from '../../src/core/database/check-database.js';
import { ServerUnusable } from '../../src/core/lifecycle/server-unusable.js';
import { checkRedis } from '../../src/core/queue/check-redis.js';
import { type Ended, runAdmin, runStart } from '../support/admin.js';
import { claiming, inDatabase } from '../support/claiming.js';
import { baseUrl, newDatabase } from '../support/gatehouse.js';
import { Redis, redisProgram } from '../support/redis.js';

const PASSWORD = 'hidden-password';

/** What is said of it, by which address, and the command that makes it so. */
const UNWRITABLE: Record<string, [string, string, string]> = {
  'a replica': ['READONLY', 'redis://HOST', 'REPLICAOF 127.0.0.1 1'],
  'a user without rights': [
    'NOPERM|no permissions',
    `redis://reader:${PASSWORD}@HOST`,
    `ACL SETUSER reader on >${PASSWORD} ~* +@read +info +ping`,
  ],
  'no such database': ['DB index is out of range', 'redis://HOST/99', 'PING'],
};

let dataDirectory: string;
/** Where nothing listens. */
let nowhere: string;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'gatehouse-refused-'));
  nowhere = `127.0.0.1:${await freePort()}`;
});
afterAll(() => rm(dataDirectory, { recursive: true, force: true }));

const started = (env: Record<string, string>): Promise<Ended> =>
  runStart({ GATEHOUSE_DATA: dataDirectory, GATEHOUSE_START_WAIT_SECONDS: '0', PORT: '0', ...env });

/** One sentence or a few, and nothing else: no stack, no password. */
function expectOnly({ code, stdout, stderr }: Ended, words: string | RegExp): void {
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(words)]);
  expect(code).not.toBe(0);
  expect(stdout + stderr).not.toContain(PASSWORD);
  expect(stdout).not.toMatch(/Unable to connect|^ {4}at /m);
}

/** What a start asks of a server, without the start: that it ends with such a sentence alone is shown by others here. */
async function expectRefused(check: Promise<unknown>, words: string | RegExp): Promise<void> {
  const error = await check.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ServerUnusable);
  const { message } = error as ServerUnusable;
  expect(message.split('\n')).toEqual([expect.stringMatching(words)]);
  expect(message).not.toContain(PASSWORD);
}

/** The suite's server, with another user, password, database or option. */
function urlWith(parts: {
  username?: string;
  password?: string;
  database?: string;
  options?: string;
}): string {
  const url = new URL(inject('databaseUrl'));
  if (parts.username !== undefined) url.username = parts.username;
  if (parts.password !== undefined) url.password = parts.password;
  if (parts.database !== undefined) url.pathname = `/${parts.database}`;
  if (parts.options !== undefined) url.searchParams.set('options', parts.options);
  return url.href;
}

/** The port of what encrypts as PostgreSQL does, as the host of that name. Nobody gets further than its certificate. */
async function encrypting(authority: CertificateAuthority, host: string): Promise<number> {
  const { privateKey: key, publicKey } = createLeafKey();
  const [notBefore, notAfter] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000));
  const cert = authority.issue({ hosts: [host], publicKey, notBefore: notBefore!, notAfter: notAfter! });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // The request for TLS (SSLRequest), of eight bytes, and the yes.
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => undefined);
    });
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('a start without its database', () => {
  it('says that nothing listens there', async () => {
    expectOnly(
      await started({ DATABASE_URL: `postgres://gatehouse:${PASSWORD}@${nowhere}/gatehouse` }),
      `^PostgreSQL at ${nowhere} \\(DATABASE_URL\\) cannot be reached: nothing listens there\\. Start PostgreSQL, or correct DATABASE_URL\\.$`,
    );
  });

  it('says that the password is wrong', async () => {
    expectOnly(
      await started({ DATABASE_URL: urlWith({ password: PASSWORD }) }),
      /^PostgreSQL at \S+ refuses the password of the user "\w+"\. Correct the user or the password in DATABASE_URL\.$/,
    );
  });

  it('says that there is no TLS, where it is asked for', async () => {
    const url = new URL(inject('databaseUrl'));
    url.searchParams.set('sslmode', 'require');
    await expectRefused(
      checkDatabase(url.href),
      /^PostgreSQL at \S+ offers no TLS, which DATABASE_URL asks for \(sslmode\)\.$/,
    );
  });

  it('says that the certificate is trusted by nobody here, or is for another name', async () => {
    const authority = new CertificateAuthority({ name: 'Of a test' });
    const port = await encrypting(authority, 'db.example.com');
    const ca = join(dataDirectory, 'authority.pem');
    await writeFile(ca, authority.certificate);
    const url = `postgres://gatehouse:${PASSWORD}@localhost:${port}/gatehouse?sslmode=verify-full`;
    const words = 'has a certificate that is not trusted here';
    await expectRefused(checkDatabase(url), new RegExp(`${words} \\((UNABLE|SELF_SIGNED|DEPTH)\\w+\\)`));
    const known = `${url}&sslrootcert=${ca}`;
    await expectRefused(checkDatabase(known), new RegExp(`${words} \\(ERR_TLS_CERT_ALTNAME_INVALID\\)`));
  });

  it('says that the database is missing', async () => {
    await expectRefused(
      checkDatabase(urlWith({ database: 'nowhere' })),
      /^PostgreSQL at \S+ has no database "nowhere"\. Make it \(CREATE DATABASE "nowhere"\), or correct DATABASE_URL\.$/,
    );
  });

  it('says that it is too old', async () => {
    const old = await claiming(
      `CREATE FUNCTION claimed.current_setting(name text) RETURNS text LANGUAGE sql AS
       $$ SELECT CASE name WHEN 'server_version_num' THEN '110022' ELSE '11.22' END $$`,
    );
    await expectRefused(
      checkDatabase(old),
      /^PostgreSQL at \S+ \(DATABASE_URL\) is version 11\.22; Gatehouse needs 15 or newer\.$/,
    );
  });

  it('says that it is a standby', async () => {
    const standby = await claiming(
      'CREATE FUNCTION claimed.pg_is_in_recovery() RETURNS bool LANGUAGE sql AS $$ SELECT true $$',
    );
    await expectRefused(checkDatabase(standby), /is a standby, which takes no changes/);
  });

  it('says that it takes no changes', async () => {
    const database = await newDatabase();
    const name = new URL(database).pathname.slice(1);
    await inDatabase(database, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await expectRefused(
      checkDatabase(database),
      `the database "${name}" takes no changes \\(default_transaction_read_only is on\\)\\.`,
    );
  });

  it('says that its encoding does not hold every text', async () => {
    const latin = await claiming(
      `CREATE FUNCTION claimed.current_setting(name text) RETURNS text LANGUAGE sql AS
       $$ SELECT CASE name WHEN 'server_encoding' THEN 'LATIN1' ELSE pg_catalog.current_setting(name) END $$`,
    );
    await expectRefused(checkDatabase(latin), /has the encoding LATIN1, .* ENCODING 'UTF8'\.$/);
  });

  it.each([
    ['runs, users', 'CREATE TABLE users (id int)', 'CREATE VIEW runs AS SELECT 1 AS id'],
    [
      'migrations',
      'CREATE TABLE migrations (id serial, migration text, batch int)',
      `INSERT INTO migrations (migration, batch) VALUES ('2014_create_users_table', 1)`,
    ],
  ])("says that it is another program's, by its tables: %s", async (_tables, ...statements) => {
    const others = await newDatabase();
    await inDatabase(others, ...statements);
    expectOnly(
      await started({ DATABASE_URL: others }),
      /^The database is another program's: .* and none of our migrations\. Set DATABASE_URL to an empty database\.$/,
    );
  });

  it('says that it has no connection left, also for a part of those that are needed', async () => {
    const full = await newDatabase();
    const name = new URL(full).pathname.slice(1);
    await inDatabase(full, `ALTER DATABASE ${name} CONNECTION LIMIT 1`);
    expectOnly(
      await started({ DATABASE_URL: full }),
      /^PostgreSQL at \S+ \(DATABASE_URL\) has no connection left: .*\. Raise its max_connections, or lower GATEHOUSE_DATABASE_POOL\.$/,
    );
  });

  it('says that its user may not make tables', async () => {
    const locked = await claiming('REVOKE CREATE ON SCHEMA claimed FROM CURRENT_USER');
    await expectRefused(
      checkDatabase(locked),
      /the user "\w+" may not make tables in the database "(\w+)"\. .*: ALTER DATABASE "\1" OWNER TO "\w+"\.$/,
    );
  });

  it('says that something else listens there', async () => {
    const { host } = new URL(baseUrl());
    await expectRefused(
      checkDatabase(`postgres://gatehouse:${PASSWORD}@${host}/gatehouse`),
      `^PostgreSQL at ${host} \\(DATABASE_URL\\) cannot be`,
    );
  });

  it('says so to an operator with a command as well, at once', async () => {
    const env = { DATABASE_URL: `postgres://gatehouse:${PASSWORD}@${nowhere}/gatehouse` };
    expectOnly(
      await runAdmin(['reset-password', 'owner@localhost'], env),
      `^PostgreSQL at ${nowhere} \\(DATABASE_URL\\) cannot be reached`,
    );
  });
});

describe('a start without its Redis', () => {
  it('says that nothing listens there', async () => {
    expectOnly(
      await started({ DATABASE_URL: inject('databaseUrl'), REDIS_URL: `redis://:${PASSWORD}@${nowhere}` }),
      `^Redis at ${nowhere} \\(REDIS_URL\\) cannot be reached: nothing listens there`,
    );
  });

  it.each(redisProgram === null ? [] : ['nobody'])('says that the password is wrong', async (user) => {
    const redis = await Redis.start();
    const { host } = new URL(redis.url);
    expectOnly(
      await started({
        DATABASE_URL: inject('databaseUrl'),
        REDIS_URL: `redis://${user}:${PASSWORD}@${host}`,
      }),
      `^Redis at ${host} \\(REDIS_URL\\) refuses the user or the password, or wants one\\.`,
    );
    await redis.remove();
  });

  it.each(redisProgram === null ? [] : Object.keys(UNWRITABLE))(
    'says that nothing can be written there: %s',
    async (which) => {
      const redis = await Redis.start();
      const { host } = new URL(redis.url);
      const [words, url, command] = UNWRITABLE[which]!;
      await redis.command(command);
      await expectRefused(
        checkRedis(url.replace('HOST', host)),
        `^Redis at ${host} \\(REDIS_URL\\) .*${words}`,
      );
      await redis.remove();
    },
  );

  it.each([`redis://:${PASSWORD}%zz@127.0.0.1:1`, 'redis://127.0.0.1:1/first'])(
    'says that its address cannot be read: %s',
    async (url) => {
      await expectRefused(checkRedis(url), /^REDIS_URL cannot be read: /);
    },
  );

  it('says that nothing listens at any of its addresses', async () => {
    const port = nowhere.split(':').at(-1)!;
    await expectRefused(
      checkRedis(`redis://localhost:${port}`),
      `^Redis at localhost:${port} \\(REDIS_URL\\) cannot be reached: nothing listens there`,
    );
  });

  it('says that something else listens there', async () => {
    const { host } = new URL(baseUrl());
    await expectRefused(
      checkRedis(`redis://:${PASSWORD}@${host}`),
      `^Redis at ${host} \\(REDIS_URL\\) cannot be used`,
    );
  });
});

describe('a start that is refused without a terminal', () => {
  it.each([
    ['where a setting is wrong', { GATEHOUSE_RATE_LIMT: PASSWORD }, 'Did you mean GATEHOUSE_RATE_LIMIT?'],
    [
      'where the format itself is wrong',
      { GATEHOUSE_LOG_FORMAT: 'xml' },
      'it takes one of auto, text, json.',
    ],
    [
      'where a server is away',
      { DATABASE_URL: `postgres://gatehouse:${PASSWORD}@127.0.0.1:1/gatehouse` },
      'cannot be reached: nothing listens there.',
    ],
  ])('says why in a line of JSON %s', async (_, env, words) => {
    const { stdout, stderr, code } = await started({ GATEHOUSE_LOG_FORMAT: '', ...env });
    expect([code, stdout]).toEqual([1, '']);
    expect(
      stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        level: 'error',
        time: expect.any(String),
        context: 'Gatehouse',
        message: expect.stringContaining(words),
      },
    ]);
    expect(stderr).not.toContain(PASSWORD);
  });
});

it('A start that cannot write to its data directory says so', async () => {
  expectOnly(
    await started({ GATEHOUSE_DATA: '/proc/version/data' }),
    /^User \d+ may not write to \/proc\/version\/data \(GATEHOUSE_DATA\)\. .* set GATEHOUSE_DATA to another directory\.$/,
  );
});

it('A start on a port that is taken says so', async () => {
  const other = createServer().listen(0);
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expectOnly(
    await started({ DATABASE_URL: await newDatabase(), GATEHOUSE_ROLE: 'api', PORT: String(port) }),
    `^Another program listens on port ${port}\\. Stop it, or set PORT to another one\\.$`,
  );
  other.close();
});

describe('a misspelt setting', () => {
  it('stops the start, with the name that was meant', async () => {
    const ended = await started({ GATEHOUSE_RATE_LIMT: PASSWORD });
    expect(ended.stderr.trim()).toBe(
      'These settings are wrong:\n  GATEHOUSE_RATE_LIMT: there is no such setting. Did you mean GATEHOUSE_RATE_LIMIT?',
    );
    expect(ended.code).toBe(1);
  });

  it("stops an operator's command as well", async () => {
    const ended = await runAdmin(['extensions'], { GATEHOUSE_DATABSE_POOL: '4' });
    expect(ended.stderr).toContain('Did you mean GATEHOUSE_DATABASE_POOL?');
    expect(ended.code).toBe(1);
  });
});

describe('a database that is coming up', () => {
  it('is waited for, which is said', async () => {
    const late = new URL(await newDatabase());
    const { host, port } = new pg.Client({ connectionString: late.href });
    const upstream = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
    late.searchParams.delete('host');
    late.host = nowhere;
    const server = createServer((socket) => {
      const connection = connect(upstream as NetConnectOpts);
      socket.on('error', () => connection.destroy()).pipe(connection);
      connection.on('error', () => socket.destroy()).pipe(socket);
    });
    const ended = await runStart(
      { GATEHOUSE_DATA: dataDirectory, DATABASE_URL: late.href, GATEHOUSE_ROLE: 'api', PORT: '0' },
      (printed, child) => {
        if (printed.includes('Waiting')) server.listen(Number(late.port), late.hostname);
        if (printed.includes('Gatehouse is ready')) child.kill('SIGTERM');
      },
    );
    server.close();
    expect(ended.stdout).toContain(`Waiting up to 30 s for PostgreSQL at ${nowhere} …`);
    expect(ended.stdout).toContain('Gatehouse is ready');
    expect([ended.code, ended.stderr]).toEqual([0, '']);
  });
});
