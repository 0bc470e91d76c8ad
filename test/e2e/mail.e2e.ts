import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { type GatehouseProcess, createClient, freePort } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { startGatehouse } from '../support/gatehouse.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';

const OWNER = 'owner@localhost';
const open: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop();
});

async function mailServer(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options);
  open.push(server);
  return server;
}

type Gatehouse = GatehouseProcess & { databaseUrl: string };

async function gatehouse(env: Record<string, string>): Promise<Gatehouse> {
  const started = await startGatehouse({ env });
  open.push(started);
  return started;
}

/** Has one mail sent: the link for a new password. Nobody is sent another so soon. */
async function forget({ baseUrl }: Pick<GatehouseProcess, 'baseUrl'>, email = OWNER): Promise<void> {
  const answer = await createClient({ baseUrl }).post('/v1/auth/forgot', { email });
  expect(answer.status, answer.text).toBe(204);
}

async function query<T>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as T[];
  } finally {
    await client.end();
  }
}

interface Waiting {
  id: string;
  message: Buffer;
  attempts: number;
  seconds: number;
}

const waiting = ({ databaseUrl }: Gatehouse): Promise<Waiting[]> =>
  query(
    databaseUrl,
    `SELECT id, message, attempts, extract(epoch FROM due_at - now())::float8 AS seconds FROM mails`,
  );

async function until<T>(look: () => Promise<T>, fits: (seen: T) => boolean): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const seen = await look();
    if (fits(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`Still ${JSON.stringify(seen)}`);
    await new Promise((next) => setTimeout(next, 50));
  }
}

describe('mail', () => {
  let port: number;
  let app: Gatehouse;

  /** Each test has a server of its own where this one looks for it, or none. */
  beforeAll(async () => {
    port = await freePort();
    const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Gate Küche <gate@example.com>' };
    app = await startGatehouse({ env });
  });
  afterEach(() => query(app.databaseUrl, 'DELETE FROM mails'));
  afterAll(() => app?.stop());

  /** The address of somebody with an account. */
  async function somebody(name: string): Promise<string> {
    const email = `${name}@example.com`;
    await query(
      app.databaseUrl,
      `INSERT INTO users (id, email, name) VALUES ('${newId('user')}', '${email}', 'Ann')`,
    );
    return email;
  }

  it('leaves by the server of SMTP_URL, once, and nothing of it is kept', async () => {
    const smtp = await mailServer({ port });
    await forget(app);
    const [mail] = await smtp.received(1);
    expect(mail).toMatchObject({ from: 'gate@example.com', to: [OWNER], user: null });
    expect(mail!.headers).toMatchObject({
      from: '=?UTF-8?Q?Gate_K=C3=BCche?= <gate@example.com>',
      to: OWNER,
      subject: 'Choose a new password for Gatehouse',
      'auto-submitted': 'auto-generated',
      'message-id': expect.stringMatching(/^<mai_[0-9a-z]{26}@example\.com>$/),
      'content-type': 'text/plain; charset=utf-8',
    });
    expect(
      await until(
        () => waiting(app),
        (rows) => rows.length === 0,
      ),
    ).toEqual([]);
    expect(smtp.mails).toHaveLength(1);
    const token = /reset-password\/(\w+)/.exec(mail!.text)![1]!;
    expect(app.output()).not.toContain(token);
  });

  it('waits sealed while the server is away, is logged without what it says, and leaves once it is back', async () => {
    await forget(app, await somebody('bea'));
    const [row] = await until(
      () => waiting(app),
      ([first]) => first !== undefined && first.attempts === 1 && first.seconds < 60,
    );
    expect(row!.seconds).toBeLessThanOrEqual(5);
    expect(row!.message.toString('latin1')).not.toMatch(/bea@|reset-password|password/);
    expect(app.output()).toMatch(/The mail mai_\w+ could not be sent \(attempt 1 of 6.*ECONNREFUSED/);
    expect(app.output()).not.toContain('reset-password');
    expect((await createClient({ baseUrl: app.baseUrl }).get('/health/ready')).status).toBe(200);
    const smtp = await mailServer({ port });
    const [mail] = await smtp.received(1);
    expect(mail!.headers['message-id']).toContain(row!.id);
    await until(
      () => waiting(app),
      (rows) => rows.length === 0,
    );
  });

  it('that a killed process had taken is sent by another, under the same Message-ID, its password given through TLS', async () => {
    let taken = 0;
    const stalling = await mailServer({ onData: (stream) => void (stream.resume(), (taken += 1)) });
    const doomed = await gatehouse({ SMTP_URL: `smtp://127.0.0.1:${stalling.port}` });
    await forget(doomed);
    await until(
      () => Promise.resolve(taken),
      (count) => count === 1,
    );
    const [row] = await waiting(doomed);
    expect(row!.seconds).toBeGreaterThan(60);
    await doomed.kill();
    const users: unknown[] = [];
    const smtp = await mailServer({
      authOptional: false,
      disabledCommands: [],
      onAuth: ({ username, password }, { secure }, done) => {
        users.push([username, password, secure]);
        done(null, { user: username });
      },
    });
    const other = await gatehouse({
      DATABASE_URL: doomed.databaseUrl,
      SMTP_URL: `smtp://gate:s%40fe@127.0.0.1:${smtp.port}?tls.rejectUnauthorized=false`,
    });
    // While the lease lasts nobody touches it; then somebody does.
    expect(await waiting(other)).toMatchObject([{ id: row!.id, attempts: 1 }]);
    await query(other.databaseUrl, 'UPDATE mails SET due_at = now()');
    const [mail] = await smtp.received(1);
    expect(mail!.headers['message-id']).toContain(row!.id);
    expect(mail).toMatchObject({ secure: true, user: 'gate' });
    expect(mail!.headers['from']).toBe('Gatehouse <gatehouse@localhost>');
    expect(users).toEqual([['gate', 's@fe', true]]);
  });

  it('is shared out among processes: each mail is sent by one of them', async () => {
    const { databaseUrl } = app;
    await gatehouse({
      DATABASE_URL: databaseUrl,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      GATEHOUSE_ROLE: 'api',
    });
    await forget(app, await somebody('cem'));
    await until(
      () => waiting(app),
      ([first]) => first !== undefined && first.attempts > 0 && first.seconds < 60,
    );
    // Copies that nobody can open are as good for telling who takes what.
    await query(
      databaseUrl,
      `INSERT INTO mails (id, message) SELECT 'mai_' || n, '\\x00' FROM generate_series(1, 200) n`,
    );
    await until(
      () => query<{ n: number }>(databaseUrl, 'SELECT count(*)::int AS n FROM mails WHERE attempts = 0'),
      ([row]) => row!.n === 0,
    );
    // Each is tried again no sooner than after five seconds.
    const twice = await query(
      databaseUrl,
      `SELECT id, attempts FROM mails WHERE message = '\\x00'
         AND attempts > 1 + floor(extract(epoch FROM clock_timestamp() - created_at) / 5)`,
    );
    expect(twice).toEqual([]);
  });

  it('is given up at once where the server does not want it, without its reply in the log', async () => {
    await mailServer({
      port,
      onRcptTo: ({ address }, _, done) =>
        done(Object.assign(new Error(`No ${address} here, see http://spam.example`), { responseCode: 550 })),
    });
    await forget(app, await somebody('dan'));
    await until(
      () => Promise.resolve(app.output()),
      (output) => /is given up \(attempt 1 of 6\): the server replied 550/.test(output),
    );
    expect(app.output()).not.toMatch(/spam\.example|dan@example.com here/);
    expect(
      await until(
        () => waiting(app),
        (rows) => rows.length === 0,
      ),
    ).toEqual([]);
  });

  it('is not given to a server whose certificate nobody vouches for', async () => {
    const smtp = await mailServer({ port, disabledCommands: [] });
    await forget(app, await somebody('eve'));
    await until(
      () => Promise.resolve(app.output()),
      (output) => /could not be sent.*certificate/.test(output),
    );
    expect(smtp.mails).toEqual([]);
  });

  it('is not written down where there is no server to send it by', async () => {
    const without = await gatehouse({});
    await forget(without);
    expect(await waiting(without)).toEqual([]);
    expect(await query(without.databaseUrl, 'SELECT FROM password_resets')).toEqual([]);
  });
});
