import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestPerson, TestWorkspace } from '../../../libs/testing/index.js';
import { client, database, newWorkspace } from '../../support/gatehouse.js';
import { python } from '../../support/scripts.js';
import {
  ACTIONS,
  APPROVALS,
  approve,
  ask,
  auditOf,
  byAgent,
  byToken,
  deny,
  eventsOf,
  inApp,
  letExpire,
  read,
} from '../../support/approvals.js';

const RENAME = { action: 'workspace.rename', input: { name: 'Beta' }, reason: 'We were renamed.' };

let ws: TestWorkspace;
let admin: TestPerson;
let member: TestPerson;
let guest: TestPerson;

beforeAll(async () => {
  ws = await newWorkspace();
  [admin, member, guest] = await Promise.all([ws.person('admin'), ws.person('member'), ws.person('guest')]);
});

describe('GET /v1/workspace/approval-actions', () => {
  it('lists what can be asked for, with who may approve it', async () => {
    const { status, body } = await byToken(ws, member).get(ACTIONS);
    expect(status).toBe(200);
    const actions = new Map<string, Json>(body.items.map((item: Json) => [item.id, item]));
    expect([...actions.keys()]).toEqual([...actions.keys()].sort());
    const shipped = ['api_key.create', 'environment.create', 'environment.update', 'environment.delete'];
    for (const id of [...shipped, 'secret.delete', 'script.publish', 'script.archive', 'workspace.rename']) {
      expect(actions.get(id), id).toEqual({
        id,
        title: expect.stringMatching(/^[A-Z]/),
        approverRoles: ['owner', 'admin'],
        createsSecret: id === 'api_key.create',
        input: expect.objectContaining({ type: 'object', additionalProperties: false }),
      });
    }
    expect(actions.has('run.start')).toBe(false);
  });

  it('is for members by whatever credential, with the scope', async () => {
    const ask = async (api: Client) => (await api.get(ACTIONS)).status;
    expect(await ask(inApp(ws, member))).toBe(200);
    expect(await ask(await byAgent(ws, member))).toBe(200);
    expect(await ask(client({ token: await ws.apiKey() }))).toBe(200);
    expect(await ask(byToken(ws, guest))).toBe(403);
    const token = await member.tokenWith({ scopes: ['workspace.approvals:write'] });
    expect(await ask(client({ token, workspace: ws.slug }))).toBe(403);
  });
});

describe('POST /v1/workspace/approval-requests', () => {
  it('files a pending request, and tells of it', async () => {
    const before = Date.now();
    const { status, body } = await byToken(ws, member).post(APPROVALS, RENAME);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^apr_[0-9a-z]{26}$/),
      action: 'workspace.rename',
      title: 'Rename the workspace',
      summary: 'Rename the workspace Acme to Beta.',
      input: { name: 'Beta' },
      reason: 'We were renamed.',
      status: 'pending',
      requestedBy: member.id,
      requestedWith: 'test token',
      expiresAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
      decidedAt: null,
      decidedBy: null,
      decisionReason: null,
      result: null,
      runId: null,
      secret: null,
      approveUrl: expect.stringMatching(new RegExp(`^http.*/approvals/${body.id}$`)),
    });
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(24 * 3_600_000);
    expect(Math.abs(Date.parse(body.createdAt) - before)).toBeLessThan(60_000);
    expect(await auditOf(body.id)).toEqual(['approval.requested']);
    const events = await eventsOf(body.id);
    expect(events).toEqual([
      {
        type: 'approval.requested',
        data: {
          requestId: body.id,
          action: 'workspace.rename',
          title: 'Rename the workspace',
          status: 'pending',
          runId: null,
          decidedBy: null,
        },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('Beta');
    const { rows } = await database().query('SELECT name FROM workspaces WHERE id = $1', [ws.id]);
    expect(rows).toEqual([{ name: 'Acme' }]);
  });

  it('is for tokens and agents: a person acts directly, and a key has nobody to ask for it', async () => {
    expect((await inApp(ws, member).post(APPROVALS, RENAME)).status).toBe(403);
    expect((await inApp(ws, ws.owner).post(APPROVALS, {})).status).toBe(403);
    expect((await client({ token: await ws.apiKey() }).post(APPROVALS, RENAME)).status).toBe(403);
    expect((await byToken(ws, guest).post(APPROVALS, RENAME)).status).toBe(403);
    const reader = await member.tokenWith({ scopes: ['workspace.approvals:read'] });
    expect((await client({ token: reader, workspace: ws.slug }).post(APPROVALS, RENAME)).status).toBe(403);
    const agent = await byAgent(ws, member);
    expect((await agent.post(APPROVALS, RENAME)).status).toBe(201);
  });

  it('lets no agent ask for a secret', async () => {
    const key = { action: 'api_key.create', input: { name: 'ci' }, reason: 'CI' };
    const { status, body } = await (await byAgent(ws, ws.owner)).post(APPROVALS, key);
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
    expect((await byToken(ws, member).post(APPROVALS, key)).body.secret).toEqual({
      name: 'API key',
      envVar: 'GATEHOUSE_API_KEY',
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no action', { action: undefined }, 'action'],
    ['an unknown action', { action: 'workspace.sell' }, 'action'],
    ['an internal action', { action: 'run.start', input: {} }, 'action'],
    ['a member of every object', { action: 'constructor' }, 'action'],
    ['no input', { input: undefined }, 'input'],
    ['null', { input: null }, 'input'],
    ['a list', { input: [] }, 'input'],
    ['an input without what is required', { input: {} }, 'input.name'],
    ['an unknown input', { input: { name: 'B', slug: 'b' } }, 'input.slug'],
    ['an input of another type', { input: { name: 5 } }, 'input.name'],
    ['a control character', { input: { name: 'a\u0007b' } }, 'input.name'],
    ['a line break in a name', { input: { name: 'a\nb' } }, 'input.name'],
    ['a blank name', { input: { name: ' ' } }, 'input.name'],
    ['too long a name', { input: { name: 'x'.repeat(101) } }, 'input.name'],
    ['no reason', { reason: undefined }, 'reason'],
    ['an empty reason', { reason: '' }, 'reason'],
    ['a reason of blanks', { reason: '  ' }, 'reason'],
    ['too long a reason', { reason: 'x'.repeat(501) }, 'reason'],
    ['a control character in the reason', { reason: 'a\u001b[2J' }, 'reason'],
    ['an unknown field', { urgent: true }, 'urgent'],
  ])('refuses %s', async (_, over, path) => {
    const { status, body } = await byToken(ws, member).post(APPROVALS, { ...RENAME, ...over });
    expect([status, body.error.code, body.error.details?.[0].path]).toEqual([400, 'invalid_request', path]);
  });

  it('finds no more than who asks can see', async () => {
    const owner = byToken(ws, ws.owner);
    await owner.post('/v1/scripts', { slug: 'hidden', name: 'Hidden' });
    const team = await database().query<{ id: string }>(
      `INSERT INTO teams (id, workspace_id, name) VALUES ('tea_' || substr(md5(random()::text), 1, 26), $1, 'Few') RETURNING id`,
      [ws.id],
    );
    await database().query(`UPDATE scripts SET access = 'teams', team_ids = $2 WHERE workspace_id = $1`, [
      ws.id,
      [team.rows[0]!.id],
    ]);
    const answers = await Promise.all(
      [
        ['script.archive', { slug: 'hidden' }],
        ['script.archive', { slug: 'absent' }],
      ].map(([action, input]) => byToken(ws, member).post(APPROVALS, { action, input, reason: 'x' })),
    );
    for (const { status, body } of answers) {
      expect([status, body.error.details]).toEqual([
        400,
        [{ path: 'input.slug', message: 'There is no such script.' }],
      ]);
    }
    expect(
      (await owner.post(APPROVALS, { action: 'script.archive', input: { slug: 'hidden' }, reason: 'x' }))
        .status,
    ).toBe(201);
    for (const action of ['environment.update', 'environment.delete']) {
      const input = { environment: 'nowhere', ...(action === 'environment.update' && { name: 'b' }) };
      const { body } = await owner.post(APPROVALS, { action, input, reason: 'x' });
      expect(body.error.details).toMatchObject([{ path: 'input.environment' }]);
    }
    const other = await newWorkspace();
    const { body } = await byToken(other, other.owner).post(APPROVALS, {
      action: 'environment.delete',
      input: { environment: ws.environmentId },
      reason: 'x',
    });
    expect(body.error.details).toMatchObject([{ path: 'input.environment' }]);
  });

  it('stores and shows names and reasons of all kinds, whole', async () => {
    const reason = `Zoë\u200b 👩‍👩‍👧 ${'א'.repeat(100)}\n\tline two \u202e turned`;
    const name = 'דנה\u200d כהן';
    const request = await ask(byToken(ws, member), 'workspace.rename', { name }, reason);
    expect(request.reason).toBe(reason);
    expect(request.input).toEqual({ name });
    expect(request.summary).toBe(`Rename the workspace Acme to \u2068${name}\u2069.`);
    expect(await read(inApp(ws, ws.owner), request.id)).toMatchObject(request);
    const long = '👩'.repeat(100);
    const longest = await ask(byToken(ws, member), 'workspace.rename', { name: long }, '👩'.repeat(500));
    expect(longest.summary).toBe(`Rename the workspace Acme to ${long}.`);
  });

  it('files once for a key, however often it is sent', async () => {
    const api = byToken(ws, member);
    const headers = { 'idempotency-key': `file-${ws.slug}` };
    const [first, ...rest] = await Promise.all([1, 2, 3].map(() => api.post(APPROVALS, RENAME, headers)));
    const again = await api.post(APPROVALS, RENAME, headers);
    const made = [first!, ...rest, again].filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    for (const { status } of [first!, ...rest]) expect([201, 409]).toContain(status);
  });
});

describe('GET /v1/workspace/approval-requests/{id}', () => {
  it('shows a request to the token that asked, to its asker in the app, and to who may decide', async () => {
    const asked = await ask(byToken(ws, member), 'secret.delete', await secret());
    const see = async (api: Client) => (await api.get(`${APPROVALS}/${asked.id}`)).status;
    const colleague = await ws.person('member');
    const outsider = await newWorkspace();
    expect({
      'the token that asked': await see(byToken(ws, member)),
      'another token of the same person': await see(
        client({ token: await member.tokenWith({}), workspace: ws.slug }),
      ),
      "the person's agent": await see(await byAgent(ws, member)),
      'the person in the app': await see(inApp(ws, member)),
      'an owner in the app': await see(inApp(ws, ws.owner)),
      'an admin in the app': await see(inApp(ws, admin)),
      "an owner's token": await see(byToken(ws, ws.owner)),
      'a colleague in the app': await see(inApp(ws, colleague)),
      'a guest': await see(inApp(ws, guest)),
      'an API key': await see(client({ token: await ws.apiKey() })),
      'the owner of another workspace': await see(inApp(outsider, outsider.owner)),
    }).toEqual({
      'the token that asked': 200,
      'another token of the same person': 404,
      "the person's agent": 404,
      'the person in the app': 200,
      'an owner in the app': 200,
      'an admin in the app': 200,
      "an owner's token": 404,
      'a colleague in the app': 404,
      'a guest': 403,
      'an API key': 404,
      'the owner of another workspace': 404,
    });
  });

  it('shows an agent its own, by the grant', async () => {
    const agent = await byAgent(ws, member);
    const asked = await ask(agent, 'secret.delete', await secret());
    expect(asked.requestedBy).toBe(member.id);
    expect((await agent.get(`${APPROVALS}/${asked.id}`)).body).toEqual(asked);
    expect((await (await byAgent(ws, member)).get(`${APPROVALS}/${asked.id}`)).status).toBe(404);
    expect((await byToken(ws, member).get(`${APPROVALS}/${asked.id}`)).status).toBe(404);
  });

  it('says in the app whether the reader may decide it, and which one like it was approved last', async () => {
    const api = inApp(ws, ws.owner);
    const script = await python(api, 'print(1)');
    const publish = (version: number) =>
      ask(byToken(ws, member), 'script.publish', { slug: script.slug, version }, 'It is ready');
    const first = await publish(1);
    expect(await read(inApp(ws, member), first.id)).toMatchObject({ mayDecide: false, previous: null });
    expect(await read(api, first.id)).toMatchObject({ mayDecide: true, previous: null });
    await api.post(`${APPROVALS}/${first.id}/approve`);
    expect(await read(api, first.id)).toMatchObject({ mayDecide: false });
    const second = await publish(1);
    expect((await read(api, second.id)).previous).toEqual({
      id: first.id,
      input: { slug: script.slug, version: 1 },
      decidedAt: expect.any(String),
      decidedBy: { userId: ws.owner.id, name: ws.owner.name },
    });
    const { items } = (await api.get(`${APPROVALS}?status=pending`)).body;
    expect(items[0]).toMatchObject({ id: second.id, mayDecide: true });
    expect(await read(byToken(ws, member), second.id)).not.toHaveProperty('mayDecide');
  });

  it('shows an owner-only action to no admin', async () => {
    const asked = await ask(byToken(ws, member), 'webhook_endpoint.create', {
      url: 'https://hooks.example.com/',
    });
    expect((await inApp(ws, admin).get(`${APPROVALS}/${asked.id}`)).status).toBe(404);
    expect((await inApp(ws, ws.owner).get(`${APPROVALS}/${asked.id}`)).status).toBe(200);
  });

  it('knows none that there is not', async () => {
    for (const id of ['apr_00000000000000000000000000', 'nonsense']) {
      expect((await inApp(ws, ws.owner).get(`${APPROVALS}/${id}`)).status).toBe(404);
    }
  });
});

describe('GET /v1/workspace/approval-requests', () => {
  let here: TestWorkspace;
  let boss: TestPerson;
  let asker: TestPerson;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    here = await newWorkspace();
    [boss, asker] = await Promise.all([here.person('admin'), here.person('member')]);
    const api = byToken(here, asker);
    const create = (name: string) => ask(api, 'environment.create', { name });
    const made = {
      denied: await create('denied'),
      completed: await create('completed'),
      failed: await create('failed'),
      expired: await create('expired'),
      stale: await create('stale'),
      granted: await ask(api, 'api_key.create', { name: 'k' }),
      hook: await ask(api, 'webhook_endpoint.create', { url: 'https://hooks.example.com/' }),
      byBoss: await ask(byToken(here, boss), 'environment.create', { name: 'boss' }),
      pending: await create('pending'),
    };
    for (const [name, { id }] of Object.entries(made)) ids[name] = id;
    const app = inApp(here, here.owner);
    await deny(app, ids['denied']!);
    await approve(app, ids['completed']!);
    await app.post('/v1/workspace/environments', { name: 'failed' });
    expect((await approve(app, ids['failed']!)).body.status).toBe('failed');
    await approve(app, ids['granted']!);
    await database().query(
      `UPDATE approval_requests SET status = 'expired', expires_at = now() WHERE id = $1`,
      [ids['expired']],
    );
    await letExpire(ids['stale']!);
  });

  const list = async (person: TestPerson, query = '') => {
    const { status, body } = await inApp(here, person).get(`${APPROVALS}?limit=100${query}`);
    expect(status).toBe(200);
    return body.items.map(({ id }: Json) => Object.keys(ids).find((name) => ids[name] === id));
  };

  it('lists all that one may decide and all that one asked for, newest first', async () => {
    const all = ['pending', 'byBoss', 'hook', 'granted', 'stale', 'expired', 'failed', 'completed', 'denied'];
    expect(await list(here.owner)).toEqual(all);
    expect(await list(boss)).toEqual(all.filter((name) => name !== 'hook'));
    expect(await list(asker)).toEqual(all.filter((name) => name !== 'byBoss'));
    expect(await list(await here.person('member'))).toEqual([]);
  });

  it.each([
    ['pending', ['pending', 'byBoss', 'hook']],
    ['approved', ['granted']],
    ['completed', ['completed']],
    ['denied', ['denied']],
    ['failed', ['failed']],
    ['expired', ['stale', 'expired']],
  ])('filters by status %s, as it is now', async (status, names) => {
    expect(await list(here.owner, `&status=${status}`)).toEqual(names);
    expect(await list(asker, `&status=${status}`)).toEqual(names.filter((name) => name !== 'byBoss'));
  });

  it('pages', async () => {
    const api = inApp(here, here.owner);
    const whole = (await api.get(`${APPROVALS}?limit=100`)).body.items;
    const walked: Json[] = [];
    let cursor = '';
    for (;;) {
      const { body } = await api.get(`${APPROVALS}?limit=2${cursor}`);
      walked.push(...body.items);
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
      expect((await api.get(`${APPROVALS}?limit=2&status=pending${cursor}`)).status).toBe(400);
      expect((await inApp(here, boss).get(`${APPROVALS}?limit=2${cursor}`)).status).toBe(400);
    }
    expect(walked).toEqual(whole);
  });

  it('is for people in the app', async () => {
    expect((await byToken(here, here.owner).get(APPROVALS)).status).toBe(403);
    expect((await (await byAgent(here, here.owner)).get(APPROVALS)).status).toBe(403);
    expect((await client({ token: await here.apiKey() }).get(APPROVALS)).status).toBe(403);
    expect((await inApp(here, here.owner).get(`${APPROVALS}?status=open`)).status).toBe(400);
  });

  it.each([
    ['all', '', ''],
    ['those of a status that is rare', `AND status = 'denied'`, 'approval_requests_by_role_status'],
  ])('is read by an index: %s', async (_, condition, index) => {
    const { id } = await newWorkspace();
    await database().query(
      `INSERT INTO approval_requests (id, workspace_id, environment_id, action, title, summary, input, reason, status,
         least_role, credential_kind, expires_at)
       SELECT 'apr_' || substr(md5($1 || n), 1, 26), $1, 'env', 'a.b', 't', 's', '{}', 'r', 'completed', 'admin',
         'system', now()
       FROM generate_series(1, 5000) AS n`,
      [id],
    );
    await database().query('ANALYZE approval_requests');
    const { rows } = await database().query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM approval_requests
       WHERE workspace_id = '${id}' AND least_role = 'admin' ${condition} AND id < 'apr_z' ORDER BY id DESC LIMIT 26`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(new RegExp(`Index.* using ${index}`));
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  });
});

let secrets = 0;

/** A secret with a value in the default environment. */
async function secret(): Promise<{ name: string }> {
  const name = `SECRET_${++secrets}`;
  const { status } = await byToken(ws, ws.owner).put(`/v1/workspace/secrets/${name}`, {
    value: 'long enough',
    hosts: ['a.example'],
  });
  expect(status).toBe(200);
  return { name };
}
