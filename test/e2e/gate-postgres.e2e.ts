import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type PostgresServer, startPostgres } from '../../libs/egress/test/postgres-server.js';
import { createClient, type Json } from '../../libs/testing/index.js';
import { aGatedAttacker } from '../security/support/gated.js';
import { whyNoRegistries } from '../support/registry-reach.js';
import { finished, publishedScript, runUntil, type TestScript } from '../support/scripts.js';

const PASSWORD = 'the-true-password-of-orders';
const author = aGatedAttacker();
const [database, user, reader] = ['orders', 'app', 'reader'];
let postgres: PostgresServer;
let server: string;

beforeAll(async () => {
  postgres = await startPostgres(author.upstreams.authority);
  server = `localhost:${postgres.port}`;
  for (const sql of [
    `CREATE ROLE ${user} LOGIN PASSWORD '${PASSWORD}'`,
    `CREATE ROLE ${reader} NOLOGIN`,
    `GRANT ${reader} TO ${user}`,
    `CREATE DATABASE ${database} OWNER ${user}`,
  ])
    await postgres.admin.query(sql);
  const admin = new pg.Client({ ...{ host: '127.0.0.1', port: postgres.port, user: 'postgres', database } });
  await admin.connect();
  await admin.query(`CREATE TABLE orders (id int PRIMARY KEY, total int)`);
  await admin.query(`INSERT INTO orders SELECT n, n * 10 FROM generate_series(1, 3) AS n`);
  await admin.query(`ALTER TABLE orders OWNER TO ${user}`);
  await admin.query(`GRANT SELECT ON orders TO ${reader}`);
  await admin.end();
  const value = JSON.stringify({ user, password: PASSWORD, database });
  const set = await author.api.put('/v1/workspace/secrets/ORDERS', {
    kind: 'postgres',
    value,
    hosts: [server],
  });
  expect(set.status, set.text).toBe(200);
});
afterAll(() => postgres?.close());

/** What is installed of a package and of those that it needs, as files of a folder. */
function installed(...names: string[]): Record<string, Buffer> {
  const files: Record<string, Buffer> = {};
  const take = (path: string): void => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) take(join(path, name));
    else if (/\.(?:js|mjs|json)$/.test(path)) files[path] = readFileSync(path);
  };
  for (const name of names) take(join('node_modules', name));
  return files;
}

const PG = installed(
  ...['pg', 'pg-connection-string', 'pg-pool', 'pg-protocol', 'pg-types', 'pg-int8', 'pgpass', 'split2'],
  ...['postgres-array', 'postgres-bytea', 'postgres-date', 'postgres-interval', 'xtend'],
);

/** Statements in turn, each with what came of it. */
const ASK = `
const pg = require('pg');
const { sql } = JSON.parse(require('fs').readFileSync(process.env.GATEHOUSE_INPUTS));
(async () => {
  const client = new pg.Client(process.env.ORDERS ?? {});
  const found = [];
  try {
    await client.connect();
    for (const one of sql) {
      try { found.push((await client.query(one)).rows); }
      catch (error) { found.push(error.code ?? error.message); }
    }
    await client.end();
  } catch (error) { found.push(error.message); }
  console.log(JSON.stringify(found));
})();
`;

const script = (rule: object = {}, fields: object = {}): Promise<TestScript> =>
  publishedScript(
    author.api,
    { 'main.js': ASK, ...PG },
    {
      command: 'node main.js',
      inputSchema: { type: 'object' },
      hosts: [{ host: server, protocol: 'postgres', postgres: rule }],
      secrets: { ORDERS: {} },
      ...fields,
    },
  );

const ask = (of: TestScript, ...sql: string[]): Promise<Json> => author.run(of, { sql });

describe('PostgreSQL through the gate', () => {
  it('signs in for the script, which finds a stand-in wherever it looks', async () => {
    const end = await ask(
      await script(),
      'SELECT current_user AS me',
      'SELECT sum(total)::int AS sum FROM orders',
    );
    expect(end).toMatchObject({ status: 'succeeded', error: null, output: [[{ me: user }], [{ sum: 60 }]] });
    expect(end.network).toEqual([
      expect.objectContaining({ host: server, requests: 0, denied: 0, connections: 1 }),
    ]);
    const used = await author.api.get('/v1/workspace/secrets/ORDERS');
    await expect
      .poll(async () => (await author.api.get('/v1/workspace/secrets/ORDERS')).body.values[0].lastUsedAt)
      .not.toBeNull();
    expect([used.body.kind, used.text.includes(PASSWORD)]).toEqual(['postgres', false]);
  });

  it('is found by DATABASE_URL and PG*, where there is one server', async () => {
    const show = `console.log(JSON.stringify(Object.fromEntries(Object.entries(process.env).filter(([n]) => /^(PG|DATABASE_URL|ORDERS)/.test(n)))))`;
    const shown = await publishedScript(
      author.api,
      { 'main.js': show },
      {
        command: 'node main.js',
        hosts: [{ host: server, protocol: 'postgres' }],
        secrets: { ORDERS: { host: server } },
      },
    );
    const [name, port] = server.split(':');
    const url = `postgresql://gatehouse:gatehouse@${server}/${database}`;
    expect((await author.run(shown)).output).toEqual({
      ...{ DATABASE_URL: url, ORDERS: url, PGDATABASE: database, PGHOST: name, PGPORT: port },
      ...{ PGPASSWORD: 'gatehouse', PGUSER: 'gatehouse' },
    });
  });

  it('writes what a person has approved, where its rule asks', async () => {
    const { workspace, gatehouse } = author;
    const owner = createClient({
      baseUrl: gatehouse.baseUrl,
      cookie: workspace.owner.cookie,
      workspace: workspace.slug,
    });
    const requests = '/v1/workspace/approval-requests';
    const asking = await script(
      {},
      { hosts: [{ host: server, protocol: 'postgres', ask: 'always' }], timeout: 60 },
    );
    const sql = [
      'SELECT count(*)::int AS n FROM orders',
      `INSERT INTO orders VALUES (77, 7) RETURNING id`,
      `DELETE FROM orders WHERE id = 77`,
    ];
    const id = await author.begin(asking, { sql });
    const next = async (): Promise<Json> => {
      const { waitingApprovalIds } = await runUntil(
        author.api,
        id,
        (run) => run.waitingApprovalIds.length > 0,
      );
      return (await owner.get(`${requests}/${waitingApprovalIds[0]}`)).body;
    };
    const insert = await next();
    expect(insert).toMatchObject({
      action: 'request.send',
      input: { method: 'INSERT', address: `postgres://${server}/${database}`, body: sql[1] },
    });
    expect((await owner.post(`${requests}/${insert.id}/approve`)).status).toBe(200);
    await expect.poll(async () => (await next()).input.method).toBe('DELETE');
    expect((await owner.post(`${requests}/${(await next()).id}/deny`, { reason: 'keep it' })).status).toBe(
      200,
    );
    const { output } = await runUntil(author.api, id, finished);
    expect(output).toEqual([[{ n: 3 }], [{ id: 77 }], '42501']);
    expect((await ask(await script(), sql[0]!, sql[2]!)).output[0]).toEqual([{ n: 4 }]);
  });

  it('does nothing but read, where it is declared so', async () => {
    const reading = await script({ readOnly: true, statementTimeout: 5 });
    const end = await ask(
      reading,
      'SELECT count(*)::int AS n FROM orders',
      'DELETE FROM orders',
      'SET default_transaction_read_only = off',
      `SELECT set_config('transaction_read_only', 'off', false)`,
      'BEGIN READ WRITE',
      'SELECT 1; DELETE FROM orders',
      'WITH gone AS (DELETE FROM orders RETURNING id) SELECT * FROM gone',
      'SELECT count(*)::int AS n FROM orders',
    );
    expect(end.output.map((one: unknown) => (Array.isArray(one) ? one : 'refused'))).toEqual([
      [{ n: 3 }],
      ...Array.from({ length: 6 }, () => 'refused'),
      [{ n: 3 }],
    ]);
    expect(await author.log(end.id)).toContain(server);
  });

  it('only reads in a plan, and lists the statements that would write', async () => {
    const of = await script();
    const statements = ['SELECT count(*)::int AS n FROM orders', `INSERT INTO orders VALUES (9, 90)`];
    const started = await author.api.post(`/v1/scripts/${of.slug}/runs`, {
      inputs: { sql: [...statements, statements[0]] },
      plan: true,
    });
    const plan = await runUntil(author.api, started.body.id as string, finished);
    expect(plan).toMatchObject({ status: 'succeeded', output: [[{ n: 3 }], '25006', [{ n: 3 }]] });
    const { items } = (await author.api.get(`/v1/runs/${plan.id}/planned`)).body;
    expect(items).toMatchObject([
      {
        protocol: 'postgres',
        host: server,
        method: 'INSERT',
        target: database,
        body: { text: statements[1] },
      },
    ]);
    expect(await author.log(plan.id)).toContain('this run is only planned');
  });

  it('takes a role that it does not leave', async () => {
    const end = await ask(
      await script({ role: reader }),
      'SELECT current_user AS me',
      'DELETE FROM orders',
      'RESET ROLE',
      `SET ROLE ${user}`,
      'SELECT current_user AS me',
    );
    expect(end.output[0]).toEqual([{ me: reader }]);
    expect(end.output.slice(1, 4).every((one: unknown) => typeof one === 'string')).toBe(true);
    expect(end.output[4]).toEqual([{ me: reader }]);
  });

  it('opens no other database and not more connections than it may', async () => {
    const several = `
const pg = require('pg');
(async () => {
  const found = [];
  for (const database of ['postgres', undefined, undefined]) {
    const client = new pg.Client({ connectionString: process.env.ORDERS, ...(database && { database }) });
    client.on('error', () => undefined);
    try { await client.connect(); found.push((await client.query('SELECT current_database() AS name')).rows[0].name); }
    catch (error) { found.push(error.code ?? error.message); }
  }
  console.log(JSON.stringify(found));
  process.exit();
})();`;
    const opened = await publishedScript(
      author.api,
      { 'main.js': several, ...PG },
      {
        command: 'node main.js',
        hosts: [{ host: server, protocol: 'postgres', postgres: { database, maxConnections: 2 } }],
        secrets: { ORDERS: {} },
      },
    );
    const end = await author.run(opened);
    expect(end.output).toEqual([database, database, '53300']);
  });

  it('says what is wrong with a password, and not the password', async () => {
    const value = JSON.stringify({ user, password: 'not-the-true-one', database, sslmode: 'disable' });
    await author.api.put('/v1/workspace/secrets/WRONG', { kind: 'postgres', value, hosts: [server] });
    const end = await ask(await script({}, { secrets: { WRONG: {} }, command: 'node main.js' }), 'SELECT 1');
    const log = await author.log(end.id);
    expect(JSON.stringify(end.output)).toMatch(/password|sign/i);
    expect(log).toContain(server);
    expect(log + JSON.stringify(end)).not.toContain('not-the-true-one');
  });

  it('is shown to whoever approves, and to whoever reads the version', async () => {
    const held = await script({ readOnly: true, role: reader });
    const { body } = await author.api.get(`/v1/scripts/${held.slug}/versions/1`);
    const rule = { database: null, role: reader, readOnly: true, statementTimeout: null, maxConnections: 10 };
    expect(body.hostRules).toEqual([
      { host: server, methods: null, paths: null, protocol: 'postgres', postgres: rule },
    ]);
    expect(body.secrets).toEqual({ ORDERS: { hosts: [server], header: '', value: '{secret}' } });
    const policy = await author.api.patch(`/v1/scripts/${held.slug}`, { approvalPolicy: 'always' });
    expect(policy.status, policy.text).toBe(200);
    const started = await author.api.post(`/v1/scripts/${held.slug}/runs`, { inputs: { sql: [] } });
    const request = `/v1/workspace/approval-requests/${started.body.approval.id}`;
    const { summary } = (await author.api.get(request)).body;
    expect(summary).toContain(
      `It may reach ${server} (PostgreSQL, only to read, as ${reader}, 10 connections at most).`,
    );
  });

  it.each([
    ['is no JSON', 'x', 'value'],
    ['has no password', JSON.stringify({ user }), 'value'],
    ['has a mode of no kind', JSON.stringify({ user, password: PASSWORD, sslmode: 'prefer' }), 'value'],
  ])('takes no secret that %s', async (_, value, path) => {
    const { status, body } = await author.api.put('/v1/workspace/secrets/BAD', {
      ...{ kind: 'postgres', value, hosts: [server] },
    });
    expect([status, body.error.details[0].path]).toEqual([400, path]);
  });

  it('gives a sign-in to no request, and no other secret to a server', async () => {
    const attempt = (hosts: unknown[], secrets: object) =>
      publishedScript(author.api, { 'main.js': '' }, { command: 'node main.js', hosts, secrets });
    await expect(attempt([server], { ORDERS: { header: 'authorization' } })).rejects.toThrow(
      /is for signing in/,
    );
    await author.secret('TEXT', 'of any kind', [server]);
    await expect(attempt([{ host: server, protocol: 'postgres' }], { TEXT: {} })).rejects.toThrow(
      /kind postgres/,
    );
  });

  it('keeps the password out of all that the box can read, while it is signed in', async () => {
    const hold = `
const pg = require('pg');
const client = new pg.Client(process.env.ORDERS);
client.connect().then(() => client.query('SELECT 1 AS one')).then(({ rows }) => console.log(JSON.stringify(rows)));`;
    const search = `
import glob, json, os, subprocess
def text_of(reversed_hex): return bytes(reversed(bytes.fromhex(reversed_hex)))
client = subprocess.Popen(["node", "hold.js"], stdout=subprocess.PIPE, text=True)
asked = json.loads(client.stdout.readline())
# But for this process, which knows what it looks for.
others = [pid for pid in os.listdir("/proc") if pid.isdigit() and int(pid) != os.getpid()]
def readable(pid):
    try: return open(f"/proc/{pid}/maps").readlines()
    except OSError: return []
def counted(needle):
    found = []
    for pid in others:
        for line in readable(pid):
            start, end = (int(x, 16) for x in line.split()[0].split("-"))
            if "r" not in line.split()[1] or "[v" in line: continue
            try:
                with open(f"/proc/{pid}/mem", "rb") as memory:
                    memory.seek(start); found.append(memory.read(end - start).count(needle))
            except OSError: continue
    return sum(found)
def lies(needle):
    places = [f"/proc/{pid}/{name}" for pid in others for name in ("environ", "cmdline")]
    places += [path for root in ("/app", "/tmp", "/inputs", "/etc") for path in glob.glob(root + "/**", recursive=True)]
    found = []
    for path in places:
        try:
            if os.path.isfile(path) and needle in open(path, "rb").read(): found.append(path)
        except OSError: pass
    return found
true, stand_in = text_of("${reversed(PASSWORD)}"), text_of("${reversed('gatehouse:gatehouse@')}")
print(json.dumps({"asked": asked, "true": [counted(true), lies(true)], "stand-in": counted(stand_in) > 0}))
client.kill()`;
    const hidden = await publishedScript(
      author.api,
      { 'main.py': search, 'hold.js': hold, ...PG },
      {
        command: 'python main.py',
        hosts: [{ host: server, protocol: 'postgres' }],
        secrets: { ORDERS: {} },
      },
    );
    const end = await author.run(hidden);
    expect(end).toMatchObject({
      error: null,
      output: { asked: [{ one: 1 }], true: [0, []], 'stand-in': true },
    });
  });
});

/** In hexadecimal, so that the search does not find itself. */
const reversed = (text: string): string => Buffer.from(text).reverse().toString('hex');

const noRegistries = await whyNoRegistries();

describe.skipIf(noRegistries !== null)('clients that are installed', { tags: 'slow' }, () => {
  it('psycopg 3 and 2, asyncpg and SQLAlchemy work unmodified', async () => {
    const code = `import asyncio, json, os, asyncpg, psycopg, psycopg2, sqlalchemy
url = os.environ["DATABASE_URL"]
sql = "SELECT sum(total)::int FROM orders WHERE id > "
def three():
    with psycopg.connect(url) as c: return c.execute(sql + "%s", (1,)).fetchone()[0]
def two():
    with psycopg2.connect("") as c:
        cursor = c.cursor(); cursor.execute(sql + "%s", (1,)); return cursor.fetchone()[0]
async def aio():
    c = await asyncpg.connect(url)
    try: return await c.fetchval(sql + "$1", 1)
    finally: await c.close()
def alchemy():
    with sqlalchemy.create_engine(url.replace("postgresql:", "postgresql+psycopg:")).connect() as c:
        return c.execute(sqlalchemy.text(sql + ":n"), {"n": 1}).scalar()
print(json.dumps([three(), two(), asyncio.run(aio()), alchemy()]))`;
    const clients = await publishedScript(
      author.api,
      {
        'main.py': code,
        'requirements.txt':
          'psycopg[binary]==3.2.12\npsycopg2-binary==2.9.11\nasyncpg==0.30.0\nsqlalchemy==2.0.44\n',
      },
      {
        command: 'python main.py',
        timeout: 60,
        hosts: [{ host: server, protocol: 'postgres' }],
        secrets: { ORDERS: {} },
      },
    );
    const end = await author.run(clients);
    expect(end).toMatchObject({ status: 'succeeded', error: null, output: [50, 50, 50, 50] });
  }, 300_000);
});
