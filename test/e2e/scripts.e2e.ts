import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestPerson, TestWorkspace } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { archiveOf, newSlug } from '../support/scripts.js';

let ws: TestWorkspace;
let owner: Client;
let member: Client;
let memberPerson: TestPerson;
let guest: Client;
let guestPerson: TestPerson;
let key: Client;

const as = (person: TestPerson, workspace = ws): Client =>
  client({ token: person.token, workspace: workspace.slug });

/** Teams have no routes yet. */
async function team(...people: TestPerson[]): Promise<string> {
  const id = newId('team');
  await database().query('INSERT INTO teams (id, workspace_id, name) VALUES ($1, $2, $3)', [id, ws.id, id]);
  for (const { id: userId } of people) {
    await database().query('INSERT INTO team_members (team_id, user_id) VALUES ($1, $2)', [id, userId]);
  }
  return id;
}

async function script(more: Record<string, unknown> = {}, by = owner): Promise<string> {
  const slug = newSlug();
  const made = await by.post('/v1/scripts', { slug, name: `Script ${slug}` });
  expect(made.status, made.text).toBe(201);
  if (Object.keys(more).length > 0) {
    const patched = await owner.patch(`/v1/scripts/${slug}`, more);
    expect(patched.status, patched.text).toBe(200);
  }
  return slug;
}

beforeAll(async () => {
  ws = await newWorkspace();
  memberPerson = await ws.person('member');
  guestPerson = await ws.person('guest');
  owner = as(ws.owner);
  member = as(memberPerson);
  guest = as(guestPerson);
  key = client({ token: await ws.apiKey() });
});

describe('how long a script keeps its runs', () => {
  it('is set, told of in the audit log, and taken back', async () => {
    const slug = `kept-${process.pid}`;
    await owner.post('/v1/scripts', { slug, name: slug });
    const set = await owner.patch(`/v1/scripts/${slug}`, { retention: { runs: 3 } });
    expect([set.status, set.body.retention]).toEqual([200, { runs: 3 }]);
    const { items } = (await owner.get('/v1/workspace/audit-events?action=script.updated&limit=1')).body;
    expect(items[0].details).toMatchObject({ slug, retention: { from: null, to: { runs: 3 } } });
    // To keep them for longer is nobody's loss.
    expect((await member.patch(`/v1/scripts/${slug}`, { retention: { runs: 9 } })).status).toBe(200);
    expect((await member.patch(`/v1/scripts/${slug}`, { retention: { runs: 8 } })).status).toBe(403);
    expect((await member.patch(`/v1/scripts/${slug}`, { retention: null })).body.retention).toBeNull();
  });

  it.each([
    [{ runs: 0 }, 'retention.runs'],
    [{ runs: 3651 }, 'retention.runs'],
    [{ runs: 1.5 }, 'retention.runs'],
    [{ runs: '3' }, 'retention.runs'],
    [{}, 'retention.runs'],
    [{ runs: 3, logs: 3 }, 'retention.logs'],
    [3, 'retention'],
    [[], 'retention'],
  ])('is not %j', async (retention, path) => {
    const slug = `refused-${process.pid}`;
    await owner.post('/v1/scripts', { slug, name: slug });
    const refused = await owner.patch(`/v1/scripts/${slug}`, { retention });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path]);
  });
});

describe('creating a script', () => {
  it('returns all of it', async () => {
    const { status, body, headers } = await member.post('/v1/scripts', {
      slug: 'first',
      name: 'Erstes 脚本',
      description: 'a\nb',
    });
    expect(status).toBe(201);
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect(body).toEqual({
      id: expect.stringMatching(/^scr_[0-9a-z]{26}$/),
      slug: 'first',
      name: 'Erstes 脚本',
      description: 'a\nb',
      status: 'draft',
      ownerUserId: memberPerson.id,
      publishedVersion: null,
      lastVersion: 0,
      revision: 1,
      access: 'workspace',
      teamIds: [],
      approvalPolicy: 'none',
      ask: null,
      queue: null,
      retention: null,
      inputSchema: null,
      tags: [],
      stats: {
        runs30d: 0,
        successRate: null,
        lastRunAt: null,
        people30d: 0,
        interfaces: { app: 0, api: 0, cli: 0, mcp: 0, schedule: 0, trigger: 0, hook: 0 },
      },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.createdAt,
      readme: null,
      usedBy: { people: [], schedules: [], triggers: [], hooks: [], followedBy: [] },
    });
    expect((await member.get('/v1/scripts/first')).body).toEqual(body);
    const { rows } = await database().query(
      `SELECT type, environment_id, data FROM events WHERE data->'script'->>'id' = $1`,
      [body.id],
    );
    expect(rows).toEqual([
      {
        type: 'script.created',
        environment_id: null,
        data: {
          script: { id: body.id, slug: 'first', name: 'Erstes 脚本' },
          version: null,
          by: { userId: memberPerson.id, credentialType: 'pat', credentialName: 'test token' },
        },
      },
    ]);
    const audit = await database().query(
      'SELECT action, actor_user_id FROM audit_events WHERE target_id = $1',
      [body.id],
    );
    expect(audit.rows).toEqual([{ action: 'script.created', actor_user_id: memberPerson.id }]);
  });

  it('has no owner when an API key makes it, and an empty description when none is given', async () => {
    const { status, body } = await key.post('/v1/scripts', { slug: newSlug(), name: 'x' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ownerUserId: null, description: '' });
  });

  it.each([
    [{ name: 'x' }, 'slug'],
    [{ slug: 'a' }, 'name'],
    [{ slug: '', name: 'x' }, 'slug'],
    [{ slug: 'A', name: 'x' }, 'slug'],
    [{ slug: 'a_b', name: 'x' }, 'slug'],
    [{ slug: 'a b', name: 'x' }, 'slug'],
    [{ slug: 'a\n', name: 'x' }, 'slug'],
    [{ slug: 'a'.repeat(101), name: 'x' }, 'slug'],
    [{ slug: 1, name: 'x' }, 'slug'],
    [{ slug: 'a', name: '' }, 'name'],
    [{ slug: 'a', name: '  ' }, 'name'],
    [{ slug: 'a', name: 'a\u0007' }, 'name'],
    [{ slug: 'a', name: 'x'.repeat(101) }, 'name'],
    [{ slug: 'a', name: null }, 'name'],
    [{ slug: 'a', name: 'x', description: null }, 'description'],
    [{ slug: 'a', name: 'x', description: 'x'.repeat(1001) }, 'description'],
    [{ slug: 'a', name: 'x', description: 'nul \0' }, 'description'],
    [{ slug: 'a', name: 'x', tags: [] }, 'tags'],
  ])('refuses %j at %s', async (input, path) => {
    const { status, body } = await owner.post('/v1/scripts', input);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'invalid_request', details: [{ path }] });
  });

  it('takes what is just allowed', async () => {
    const input = { slug: '0'.repeat(100), name: '𝄞'.repeat(100), description: '𝄞'.repeat(1000) };
    expect((await owner.post('/v1/scripts', input)).body).toMatchObject(input);
  });

  it('gives a slug once, however many ask, also where the other is archived', async () => {
    const slug = newSlug();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => owner.post('/v1/scripts', { slug, name: 'x' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.error).toMatchObject({ code: 'conflict' });
    expect((await owner.delete(`/v1/scripts/${slug}`)).status).toBe(204);
    expect((await owner.post('/v1/scripts', { slug, name: 'x' })).status).toBe(409);
    const other = await newWorkspace();
    expect((await as(other.owner, other).post('/v1/scripts', { slug, name: 'x' })).status).toBe(201);
  });

  it('can be taken back where it came to nothing, and its slug is free again', async () => {
    const slug = newSlug();
    await owner.post('/v1/scripts', { slug, name: 'x' });
    expect((await owner.delete(`/v1/scripts/${slug}?removeIf=unused`)).status).toBe(204);
    expect((await owner.get(`/v1/scripts/${slug}`)).status).toBe(404);
    expect((await owner.post('/v1/scripts', { slug, name: 'y' })).status).toBe(201);
    const { body } = await owner.get('/v1/workspace/audit-events?action=script.removed');
    expect(body.items).toHaveLength(1);

    const used = await script();
    const archive = await archiveOf({ 'main.py': 'pass' });
    expect((await owner.post(`/v1/scripts/${used}/versions`, { archive })).status).toBe(201);
    expect((await owner.delete(`/v1/scripts/${used}?removeIf=unused`)).status).toBe(409);
    expect((await owner.get(`/v1/scripts/${used}`)).body.status).not.toBe('archived');
    const tried = newSlug();
    await owner.post('/v1/scripts', { slug: tried, name: 'x' });
    const trial = await owner.post(`/v1/scripts/${tried}/trials`, { archive });
    expect(trial.status, trial.text).toBe(201);
    expect((await owner.delete(`/v1/scripts/${tried}?removeIf=unused`)).status).toBe(409);
    expect((await owner.delete(`/v1/scripts/${tried}?removeIf=used`)).status).toBe(400);
    expect((await guest.delete(`/v1/scripts/${tried}?removeIf=unused`)).status).toBe(403);
  });

  it('happens once for one Idempotency-Key', async () => {
    const [headers, input] = [{ 'idempotency-key': 'make-it' }, { slug: newSlug(), name: 'x' }];
    const first = await owner.post('/v1/scripts', input, headers);
    const second = await owner.post('/v1/scripts', input, headers);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await owner.post('/v1/scripts', { ...input, name: 'y' }, headers)).status).toBe(422);
  });
});

describe('who may', () => {
  it('a guest reads, and no more', async () => {
    const slug = await script({ access: 'teams', teamIds: [await team(guestPerson)] });
    expect((await guest.get('/v1/scripts')).body.items.map((item: { slug: string }) => item.slug)).toEqual([
      slug,
    ]);
    expect((await guest.get(`/v1/scripts/${slug}`)).status).toBe(200);
    for (const refused of [
      await guest.post('/v1/scripts', { slug: newSlug(), name: 'x' }),
      await guest.patch(`/v1/scripts/${slug}`, { name: 'x' }),
      await guest.delete(`/v1/scripts/${slug}`),
      await guest.get(`/v1/scripts/${slug}/versions`),
      await guest.get(`/v1/scripts/${slug}/versions/1/archive`),
      await guest.post(`/v1/scripts/${slug}/publish`, { version: 1 }),
      await guest.get('/v1/workspace/script-settings'),
    ]) {
      expect(refused.status).toBe(403);
    }
  });

  it('goes by scopes, of which writing does not bring reading', async () => {
    const slug = await script();
    const reads = client({
      token: await ws.owner.tokenWith({ scopes: ['scripts:read'] }),
      workspace: ws.slug,
    });
    const writes = client({
      token: await ws.owner.tokenWith({ scopes: ['scripts:write'] }),
      workspace: ws.slug,
    });
    expect((await reads.get(`/v1/scripts/${slug}`)).status).toBe(200);
    expect((await reads.patch(`/v1/scripts/${slug}`, {})).status).toBe(403);
    expect((await writes.get('/v1/scripts')).status).toBe(403);
    expect((await writes.patch(`/v1/scripts/${slug}`, {})).status).toBe(200);
    expect((await client({ workspace: ws.slug }).get('/v1/scripts')).status).toBe(401);
  });

  it('keeps workspaces apart', async () => {
    const slug = await script();
    const other = await newWorkspace();
    expect((await as(other.owner, other).get(`/v1/scripts/${slug}`)).status).toBe(404);
    expect((await as(other.owner, other).get('/v1/scripts')).body).toEqual({ items: [], nextCursor: null });
  });

  it('does not let a key of one environment archive what all share', async () => {
    const slug = await script();
    const bound = client({ token: await ws.apiKey('production') });
    expect((await bound.get(`/v1/scripts/${slug}`)).status).toBe(200);
    expect((await bound.delete(`/v1/scripts/${slug}`)).status).toBe(403);
    expect((await bound.post(`/v1/scripts/${slug}/publish`, { version: 1 })).status).toBe(403);
    expect((await key.delete(`/v1/scripts/${slug}`)).status).toBe(204);
  });
});

describe('a script shared with teams', () => {
  it('does not exist for others', async () => {
    const insider = await ws.person('member');
    const slug = await script({ access: 'teams', teamIds: [await team(insider, guestPerson)] });
    const admin = as(await ws.person('admin'));
    for (const [who, status] of [
      [owner, 200],
      [admin, 200],
      [key, 200],
      [as(insider), 200],
      [guest, 200],
      [member, 404],
      [as(await ws.person('guest')), 404],
    ] as const) {
      expect((await who.get(`/v1/scripts/${slug}`)).status).toBe(status);
      const listed = (await who.get('/v1/scripts?limit=100')).body.items.some(
        (item: { slug: string }) => item.slug === slug,
      );
      expect(listed).toBe(status === 200);
    }
    for (const refused of [
      await member.patch(`/v1/scripts/${slug}`, { name: 'x' }),
      await member.delete(`/v1/scripts/${slug}`),
      await member.get(`/v1/scripts/${slug}/versions`),
      await member.get(`/v1/scripts/${slug}/versions/1`),
      await member.get(`/v1/scripts/${slug}/versions/1/archive`),
      await member.post(`/v1/scripts/${slug}/versions`, { archive: await archiveOf({ 'main.py': '' }) }),
      await member.post(`/v1/scripts/${slug}/publish`, { version: 1 }),
      await member.post(`/v1/scripts/${slug}/unpublish`),
      await member.post(`/v1/scripts/${slug}/restore`),
    ]) {
      expect(refused.status).toBe(404);
      expect(refused.body.error.code).toBe('not_found');
    }
    expect((await owner.patch(`/v1/scripts/${slug}`, { access: 'workspace' })).body).toMatchObject({
      teamIds: [],
    });
    expect((await member.get(`/v1/scripts/${slug}`)).status).toBe(200);
    expect((await guest.get(`/v1/scripts/${slug}`)).status).toBe(404);
  });

  it('takes teams of this workspace only, and at least one', async () => {
    const slug = await script();
    const other = await newWorkspace();
    const one = await team();
    for (const [patch, path] of [
      [{ access: 'teams' }, 'teamIds'],
      [{ access: 'teams', teamIds: [] }, 'teamIds'],
      [{ teamIds: [one] }, 'teamIds'],
      [{ access: 'workspace', teamIds: [one] }, 'teamIds'],
      [{ access: 'teams', teamIds: [one, other.defaultTeamId] }, 'teamIds.1'],
      [{ access: 'teams', teamIds: [1] }, 'teamIds.0'],
      [{ access: 'teams', teamIds: Array.from({ length: 51 }, () => one) }, 'teamIds'],
      [{ access: 'teams', teamIds: null }, 'teamIds'],
    ] as const) {
      const { status, body } = await owner.patch(`/v1/scripts/${slug}`, patch);
      expect([status, body.error?.details[0].path]).toEqual([400, path]);
    }
    const { body } = await owner.patch(`/v1/scripts/${slug}`, { access: 'teams', teamIds: [one, one] });
    expect(body).toMatchObject({ access: 'teams', teamIds: [one] });
  });
});

describe('changing a script', () => {
  it('changes what is named', async () => {
    const slug = await script();
    const before = (await owner.get(`/v1/scripts/${slug}`)).body;
    const patch = { name: 'New', description: 'd', tags: ['b', 'a-1', 'b'], approvalPolicy: 'agents' };
    const { status, body } = await member.patch(`/v1/scripts/${slug}`, patch);
    expect(status).toBe(200);
    const { updatedAt } = body;
    expect(body).toEqual({ ...before, ...patch, tags: ['b', 'a-1'], revision: 2, updatedAt });
    expect(body.updatedAt > before.updatedAt).toBe(true);
    expect((await member.patch(`/v1/scripts/${slug}`, {})).body).toEqual(body);
    expect((await member.patch(`/v1/scripts/${slug}`, { name: 'New' })).body).toEqual(body);
    const { rows } = await database().query(
      `SELECT details FROM audit_events WHERE target_id = $1 AND action = 'script.updated'`,
      [body.id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].details).toMatchObject({
      name: { from: before.name, to: 'New' },
      tags: { from: [], to: ['b', 'a-1'] },
    });
  });

  it.each([
    [{ name: null }, 'name'],
    [{ name: '' }, 'name'],
    [{ description: null }, 'description'],
    [{ tags: ['ok', 'Not ok'] }, 'tags.1'],
    [{ tags: [1] }, 'tags.0'],
    [{ tags: null }, 'tags'],
    [{ tags: ['a'.repeat(51)] }, 'tags.0'],
    [{ tags: Array.from({ length: 11 }, (_, index) => `t${index}`) }, 'tags'],
    [{ access: 'all' }, 'access'],
    [{ approvalPolicy: null }, 'approvalPolicy'],
    [{ slug: 'other' }, 'slug'],
    [{ status: 'published' }, 'status'],
  ])('refuses %j at %s', async (patch, path) => {
    const slug = await script();
    const { status, body } = await owner.patch(`/v1/scripts/${slug}`, patch);
    expect([status, body.error.details[0].path]).toEqual([400, path]);
  });

  it('lets nobody but an owner or admin in person loosen the gate', async () => {
    const [one, two] = [await team(memberPerson), await team(memberPerson)];
    const slug = await script({ approvalPolicy: 'always', access: 'teams', teamIds: [one] });
    const admin = await ws.person('admin');
    const agent = client({ token: await ws.owner.agent(), workspace: ws.slug });
    for (const patch of [
      { approvalPolicy: 'agents' },
      { approvalPolicy: 'none' },
      { access: 'workspace' },
      { teamIds: [one, two] },
    ]) {
      for (const who of [member, key, agent]) {
        const { status, body } = await who.patch(`/v1/scripts/${slug}`, patch);
        expect([status, body.error?.code]).toEqual([403, 'forbidden']);
      }
    }
    expect((await as(admin).patch(`/v1/scripts/${slug}`, { approvalPolicy: 'agents' })).status).toBe(200);
    const session = client({ cookie: ws.owner.cookie, workspace: ws.slug });
    expect(
      (await session.patch(`/v1/scripts/${slug}`, { access: 'workspace', approvalPolicy: 'none' })).status,
    ).toBe(200);
  });

  it('lets a member tighten it, but not let guests in or shut themselves out', async () => {
    const own = await team(memberPerson);
    const slug = await script();
    expect((await key.patch(`/v1/scripts/${slug}`, { approvalPolicy: 'always' })).status).toBe(200);
    const withGuest = await team(memberPerson, guestPerson);
    expect(
      (await member.patch(`/v1/scripts/${slug}`, { access: 'teams', teamIds: [withGuest] })).status,
    ).toBe(403);
    const out = await member.patch(`/v1/scripts/${slug}`, { access: 'teams', teamIds: [await team()] });
    expect([out.status, out.body.error.details[0].path]).toEqual([400, 'teamIds']);
    expect((await member.patch(`/v1/scripts/${slug}`, { access: 'teams', teamIds: [own] })).status).toBe(200);
  });

  it('knows no script that is not there', async () => {
    expect((await owner.patch('/v1/scripts/none', {})).status).toBe(404);
    expect((await owner.get('/v1/scripts/none')).status).toBe(404);
    expect((await owner.delete('/v1/scripts/none')).status).toBe(404);
    expect((await owner.patch('/v1/scripts/none', { name: '' })).status).toBe(400);
  });
});

describe('listing scripts', () => {
  let here: TestWorkspace;
  let api: Client;
  const slugs = (body: { items: { slug: string }[] }): string[] => body.items.map(({ slug }) => slug);

  beforeAll(async () => {
    here = await newWorkspace();
    api = as(here.owner, here);
    for (const [slug, name, description] of [
      ['a', 'Invoices', 'sends 100% of them'],
      ['b', 'Über Reports', 'weekly_report'],
      ['c-report', 'C', ''],
      ['d', 'D', 'weekly report'],
      ['e', 'E', 'back\\slash'],
    ]) {
      expect((await api.post('/v1/scripts', { slug, name, description })).status).toBe(201);
    }
    await api.patch('/v1/scripts/a', { tags: ['money', 'daily'] });
    await api.patch('/v1/scripts/d', { tags: ['daily'] });
    await api.delete('/v1/scripts/e');
  });

  it.each([
    ['', ['e', 'd', 'c-report', 'b', 'a']],
    ['?q=REPORT', ['d', 'c-report', 'b']],
    ['?q=%C3%BCber', ['b']],
    ['?q=100%25', ['a']],
    ['?q=weekly_', ['b']],
    ['?q=%5C', ['e']],
    ['?q=nothing', []],
    ['?tag=daily', ['d', 'a']],
    ['?tag=dail', []],
    ['?status=archived', ['e']],
    ['?status=draft', ['d', 'c-report', 'b', 'a']],
    ['?status=published', []],
    ['?tag=daily&q=invoice&status=draft', ['a']],
  ])('%s', async (query, expected) => {
    const { status, body } = await api.get(`/v1/scripts${query}`);
    expect(status).toBe(200);
    expect(slugs(body)).toEqual(expected);
    expect(body.nextCursor).toBeNull();
  });

  it('shows the fields of Script and no more', async () => {
    const { items } = (await api.get('/v1/scripts?tag=money')).body;
    const detail = (await api.get('/v1/scripts/a')).body;
    const { readme: _readme, usedBy: _usedBy, ...expected } = detail;
    expect(items).toEqual([expected]);
  });

  it('goes on where the page before ended, whatever was added', async () => {
    const first = (await api.get('/v1/scripts?limit=2')).body;
    expect(slugs(first)).toEqual(['e', 'd']);
    await api.post('/v1/scripts', { slug: 'f', name: 'F' });
    const second = (await api.get(`/v1/scripts?limit=2&cursor=${first.nextCursor}`)).body;
    expect(slugs(second)).toEqual(['c-report', 'b']);
    const third = (await api.get(`/v1/scripts?limit=2&cursor=${second.nextCursor}`)).body;
    expect(third).toMatchObject({ items: [{ slug: 'a' }], nextCursor: null });
    for (const wrong of [`tag=daily&cursor=${first.nextCursor}`, 'cursor=abc']) {
      const { status, body } = await api.get(`/v1/scripts?${wrong}`);
      expect([status, body.error.details[0].path]).toEqual([400, 'cursor']);
    }
    expect((await owner.get(`/v1/scripts?cursor=${first.nextCursor}`)).status).toBe(400);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'status=gone', 'q=', 'tag=a&tag=b', 'owner=me', 'q=%00'])(
    'refuses ?%s',
    async (query) => {
      const { status, body } = await api.get(`/v1/scripts?${query}`);
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('statistics', () => {
  it('count 30 days, over all scripts of a page at once', async () => {
    const slug = await script({ access: 'teams', teamIds: [await team(guestPerson)] });
    const { id } = (await owner.get(`/v1/scripts/${slug}`)).body;
    const activity = `INSERT INTO script_activity (script_id, day, interface, runs, succeeded, failed, last_run_at)
      VALUES ($1, (now() AT TIME ZONE 'UTC')::date - $2::int, $3, $4, $5, $6, $7)`;
    const people = `INSERT INTO script_people (script_id, day, user_id, runs)
      VALUES ($1, (now() AT TIME ZONE 'UTC')::date - $2::int, $3, $4)`;
    const at = new Date('2026-01-02T03:04:05.678Z');
    await database().query(activity, [id, 0, 'api', 3, 2, 1, at]);
    await database().query(activity, [id, 0, 'mcp', 1, 0, 0, new Date(at.getTime() - 1)]);
    await database().query(activity, [id, 29, 'api', 4, 4, 0, null]);
    await database().query(activity, [id, 30, 'cli', 100, 0, 100, null]);
    await database().query(people, [id, 0, memberPerson.id, 2]);
    await database().query(people, [id, 29, memberPerson.id, 3]);
    await database().query(people, [id, 1, guestPerson.id, 1]);
    await database().query(people, [id, 30, ws.owner.id, 9]);
    const stats = {
      runs30d: 8,
      successRate: 6 / 7,
      lastRunAt: at.toISOString(),
      people30d: 2,
      interfaces: { app: 0, api: 7, cli: 0, mcp: 1, schedule: 0, trigger: 0, hook: 0 },
    };
    const { body } = await owner.get(`/v1/scripts/${slug}`);
    expect(body.stats).toEqual(stats);
    expect(body.usedBy).toEqual({
      people: [
        { userId: memberPerson.id, name: 'Member Person', runs: 5 },
        { userId: guestPerson.id, name: 'Guest Person', runs: 1 },
      ],
      schedules: [],
      triggers: [],
      hooks: [],
      followedBy: [],
    });
    const listed = (await owner.get('/v1/scripts?limit=100')).body.items;
    expect(listed.find((item: { slug: string }) => item.slug === slug).stats).toEqual(stats);
    const seenByGuest = (await guest.get(`/v1/scripts/${slug}`)).body.usedBy.people;
    expect(seenByGuest).toEqual([{ userId: guestPerson.id, name: 'Guest Person', runs: 1 }]);
  });

  it('remember the last run however long ago it was', async () => {
    const slug = await script();
    const { id } = (await owner.get(`/v1/scripts/${slug}`)).body;
    await database().query(
      `INSERT INTO script_activity (script_id, day, interface, runs, failed, last_run_at)
       VALUES ($1, '2020-01-01', 'app', 1, 1, '2020-01-01T12:00:00Z')`,
      [id],
    );
    expect((await owner.get(`/v1/scripts/${slug}`)).body.stats).toMatchObject({
      runs30d: 0,
      successRate: null,
      lastRunAt: '2020-01-01T12:00:00.000Z',
    });
  });
});
