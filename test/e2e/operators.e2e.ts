import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  type Json,
  Seed,
  type TestPerson,
  type TestWorkspace,
  createClient,
} from '../../libs/testing/index.js';
import { runAdmin } from '../support/admin.js';
import { newDatabase, startGatehouse } from '../support/gatehouse.js';
import { python } from '../support/scripts.js';

let gatehouse: GatehouseProcess & { databaseUrl: string };
let pool: pg.Pool;
let seed: Seed;

beforeAll(async () => {
  gatehouse = await startGatehouse({ env: { GATEHOUSE_SIGNUP: 'open' } });
  pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 4 });
  seed = new Seed(gatehouse.baseUrl, pool);
});

afterAll(async () => {
  await pool?.end();
  await gatehouse?.stop();
});

const admin = (args: string[], stdin = '') =>
  runAdmin(
    args,
    {
      DATABASE_URL: gatehouse.databaseUrl,
      GATEHOUSE_DATA: gatehouse.dataDirectory,
      GATEHOUSE_ROLE: 'worker',
    },
    stdin,
  );

async function told(...args: string[]): Promise<Json> {
  const { code, stdout, stderr } = await admin([...args, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

async function refused(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await admin(args);
  expect([code, stdout]).toEqual([1, '']);
  return stderr;
}

const api = (options: object): Client => createClient({ baseUrl: gatehouse.baseUrl, ...options });
const login = (email: string, password: string) => api({}).post('/v1/auth/login', { email, password });

async function auditOf(targetId: string): Promise<Json[]> {
  const { rows } = await pool.query(
    `SELECT workspace_id AS workspace, action, actor_type AS actor, details FROM audit_events
     WHERE target_id = $1 ORDER BY id`,
    [targetId],
  );
  return rows;
}

/** Each command is a process. */
const SLOWLY = { timeout: 400_000 };

describe('admin users', SLOWLY, () => {
  let workspace: TestWorkspace;
  let person: TestPerson;

  beforeAll(async () => {
    workspace = await seed.workspace();
    person = await workspace.person('admin');
  });

  it('makes an account with a password that is said once, or one of a file, and lists it', async () => {
    const made = await told('users', 'make', ' Grace@Example.com', '--name', 'Grace Hopper');
    expect(made).toMatchObject({ email: 'grace@example.com', name: 'Grace Hopper' });
    expect((await login('grace@example.com', made.password)).status).toBe(200);
    expect(await auditOf(made.id)).toEqual([
      { workspace: null, action: 'user.created', actor: 'staff', details: {} },
    ]);
    const { stdout } = await admin(
      ['users', 'make', 'alan@example.com', '--password-file', '-'],
      'correct horse\n',
    );
    expect(stdout).toMatch(/^alan@example\.com has an account now, usr_\w+\.\n$/);
    expect((await login('alan@example.com', 'correct horse')).status).toBe(200);
    expect(await told('users', 'list', 'HOPPER')).toEqual([
      expect.objectContaining({ id: made.id, disabledAt: null, workspaces: [] }),
    ]);
    expect((await admin(['users', 'list', person.email])).stdout).toContain(workspace.slug);
    expect(await refused('users', 'make', 'grace@example.com')).toContain('has an account already');
    expect(await refused('users', 'make', 'no address')).toContain('must be an e-mail address');
    expect(await refused('users', 'make', 'x@example.com', '--name', 'a\nb')).toContain('A name');
  });

  it('disables an account: all that acts for the person ends, as with a removal', async () => {
    const owner = api({ token: workspace.owner.token, workspace: workspace.slug });
    const own = { token: person.token, workspace: workspace.slug };
    const script = await python(owner, 'print(1)');
    const schedule = await api(own).post(`/v1/scripts/${script.slug}/schedules`, {
      name: 'Yearly',
      cron: '0 0 1 1 *',
    });
    expect(schedule.status).toBe(201);
    const agent = await person.agent();
    const key = await api({ cookie: person.cookie, workspace: workspace.slug }).post(
      '/v1/workspace/api-keys',
      {
        name: 'ci',
      },
    );
    const credentials = [own, { cookie: person.cookie, workspace: workspace.slug }, { token: agent }];
    for (const each of credentials) expect((await api(each).get('/v1/scripts')).status).toBe(200);

    const disabled = await told('users', 'disable', person.email);
    expect(disabled).toMatchObject({
      workspaces: [workspace.slug],
      keys: [{ slug: workspace.slug, keys: 1 }],
    });
    for (const each of credentials) expect((await api(each).get('/v1/scripts')).status).toBe(401);
    expect((await api({ token: key.body.key }).get('/v1/scripts')).status).toBe(200);
    const refusal = await login(person.email, person.password);
    expect([refusal.status, refusal.body.error.message]).toEqual([
      401,
      'The e-mail address or the password is wrong.',
    ]);
    await expect
      .poll(async () => (await owner.get(`/v1/schedules/${schedule.body.id}`)).body.enabled)
      .toBe(false);
    expect(await auditOf(person.id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ workspace: workspace.id, action: 'user.disabled', actor: 'staff' }),
      ]),
    );
    const { rows } = await pool.query(
      `SELECT actor_type AS actor FROM audit_events WHERE workspace_id = $1 AND action = 'member.removed'`,
      [workspace.id],
    );
    expect(rows).toEqual([{ actor: 'staff' }]);
    expect(await refused('users', 'disable', person.email)).toContain('is disabled already');
  });

  it('enables it again, without what has ended', async () => {
    expect(await refused('users', 'make', person.email)).toContain('has an account already');
    await told('users', 'enable', person.email);
    expect((await login(person.email, person.password)).body.workspaces).toEqual([]);
    expect((await api({ token: person.token }).get('/v1/user/me')).status).toBe(401);
    expect(await refused('users', 'enable', person.email)).toContain('is not disabled');
    expect((await auditOf(person.id)).at(-1)).toMatchObject({ workspace: null, action: 'user.enabled' });
  });

  it('lets no workspace be without an owner, and changes nothing then', async () => {
    const { owner, slug } = workspace;
    expect(await refused('users', 'disable', owner.email)).toContain(`last owner of ${slug}`);
    expect((await api({ token: owner.token, workspace: slug }).get('/v1/workspace')).status).toBe(200);
    const next = await workspace.person('guest');
    await told('workspaces', 'make-owner', slug, next.email);
    await told('users', 'disable', owner.email);
    expect((await api({ token: next.token, workspace: slug }).get('/v1/workspace')).status).toBe(200);
  });

  it('keeps a sign-in out that is under way', async () => {
    const victim = await workspace.person('member');
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('UPDATE users SET disabled_at = now() WHERE id = $1', [victim.id]);
    const signingIn = login(victim.email, victim.password);
    await new Promise((next) => setTimeout(next, 500));
    await holder.query('COMMIT');
    holder.release();
    expect((await signingIn).status).toBe(401);
  });
});

describe('admin workspaces', SLOWLY, () => {
  it('makes one for somebody, makes owners, closes it and opens it again', async () => {
    const { password } = await told('users', 'make', 'ada@example.com');
    const slug = `ops-${process.pid}`;
    const made = await told('workspaces', 'make', slug, 'ada@example.com', '--name', 'Operations');
    const cookie = (await login('ada@example.com', password)).headers.get('set-cookie')!.split(';')[0]!;
    const ada = api({ cookie, workspace: slug });
    expect((await ada.get('/v1/workspace')).body).toMatchObject({ id: made.id, name: 'Operations' });
    expect(await refused('workspaces', 'make', slug, 'ada@example.com')).toContain(
      `The slug ${slug} is taken.`,
    );
    expect(await refused('workspaces', 'make', 'No Slug', 'ada@example.com')).toContain('A slug has');

    await told('users', 'make', 'joan@example.com');
    await told('workspaces', 'make-owner', slug, 'joan@example.com');
    expect(await refused('workspaces', 'make-owner', slug, 'joan@example.com')).toContain('is an owner');
    expect(await refused('workspaces', 'make-owner', slug, 'none@example.com')).toContain('no account');
    expect(await refused('workspaces', 'make-owner', 'none', 'joan@example.com')).toContain(
      'no such workspace',
    );
    const [listed] = await told('workspaces', 'list', slug);
    expect(listed).toMatchObject({
      slug,
      owner: 'ada@example.com',
      members: 2,
      plan: 'default',
      disabledAt: null,
    });

    const key = (await ada.post('/v1/workspace/api-keys', { name: 'ci' })).body.key as string;
    await told('workspaces', 'disable', slug);
    expect((await ada.get('/v1/workspace')).status).toBe(403);
    expect((await api({ token: key }).get('/v1/workspace')).status).toBe(401);
    expect((await told('workspaces', 'list', slug))[0].disabledAt).toMatch(/^\d{4}-/);
    expect(await refused('workspaces', 'disable', slug)).toContain('no such workspace');

    await told('workspaces', 'enable', slug);
    expect((await ada.get('/v1/workspace')).status).toBe(200);
    expect((await api({ token: key }).get('/v1/workspace')).status).toBe(401);
    expect(await refused('workspaces', 'enable', slug)).toContain('is taken');
    const actions = (await auditOf(made.id)).map(({ action, actor }) => `${actor} ${action}`);
    expect(actions).toEqual([
      'staff workspace.created',
      'staff workspace.deleted',
      'staff workspace.restored',
    ]);
  });
});

describe('admin schema', SLOWLY, () => {
  it('says what the database has had, and changes nothing in an empty one', async () => {
    const full = await told('schema');
    expect(full.migrations.every(({ carriedOut }: Json) => carriedOut)).toBe(true);
    expect(full.unknown).toEqual([]);
    const empty = await newDatabase();
    const { stdout } = await runAdmin(['schema'], {
      DATABASE_URL: empty,
      GATEHOUSE_DATA: gatehouse.dataDirectory,
    });
    expect(stdout).toMatch(/^The next start carries out (\d+) of \1 migrations\. It is PostgreSQL \d+/);
    const client = new pg.Client({ connectionString: empty });
    await client.connect();
    const { rows } = await client.query(`SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`);
    await client.end();
    expect(rows).toEqual([]);
  });
});

describe('admin sizes', SLOWLY, () => {
  it('tells them by table, workspace and age, from what PostgreSQL has estimated', async () => {
    const workspace = await seed.workspace();
    await pool.query(
      `INSERT INTO usage_counters (workspace_id, meter, period_start, used) VALUES ($1, 'storage_bytes', 'epoch', 5e9)`,
      [workspace.id],
    );
    await pool.query('ANALYZE');
    const { tables, workspaces, ages } = await told('sizes');
    const runs = tables.find(({ table }: Json) => table === 'runs');
    expect(runs).toMatchObject({ bytes: expect.any(Number), rows: expect.any(Number) });
    expect(workspaces[0]).toMatchObject({ slug: workspace.slug, fileBytes: 5e9 });
    expect(ages.upToDays).toEqual([1, 7, 30, 90, 365]);
    const { stdout } = await admin(['sizes']);
    expect(stdout).toContain('PER 1000 RUNS');
    expect(stdout).toContain('4.7 GiB');
  });
});
