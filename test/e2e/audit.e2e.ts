import { describe, expect, it } from 'vitest';

import type { TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { lockingBriefly } from '../support/locking.js';

const AUDIT = '/v1/workspace/audit-events';
const ENVIRONMENTS = '/v1/workspace/environments';
const byOwner = ({ owner, slug }: TestWorkspace) => client({ token: owner.token, workspace: slug });

describe('GET /v1/workspace/audit-events', () => {
  it('tells what was done, by whom and with what', async () => {
    const workspace = await newWorkspace();
    const { slug, owner } = workspace;
    const key = await workspace.apiKey();
    const address = '192.0.2.44';
    const from = (who: Parameters<typeof client>[0]) =>
      client({ ...who, headers: { 'x-forwarded-for': address } });
    await from({ cookie: owner.cookie, workspace: slug }).post(ENVIRONMENTS, { name: 'by-app' });
    await from({ token: owner.token, workspace: slug }).post(ENVIRONMENTS, { name: 'by-token' });
    await from({ token: key }).post(ENVIRONMENTS, { name: 'by-key' });
    await from({ token: await owner.agent(), workspace: slug }).post(ENVIRONMENTS, { name: 'by-agent' });
    const { status, body } = await byOwner(workspace).get(AUDIT);
    expect(status).toBe(200);
    const created = body.items.filter(({ action }: { action: string }) => action === 'environment.created');
    const person = { userId: owner.id, name: owner.name };
    const event = (name: string, actorType: string, credential: object | null, actor: object | null) => ({
      id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
      action: 'environment.created',
      actorType,
      credential,
      address,
      target: { type: 'environment', id: expect.stringMatching(/^env_/) },
      actor,
      details: { name },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(created).toEqual([
      event('by-agent', 'user', { type: 'pat', name: 'Test agent' }, person),
      event('by-key', 'api_key', { type: 'api_key', name: 'test key' }, null),
      event('by-token', 'user', { type: 'pat', name: 'test token' }, person),
      event('by-app', 'user', null, person),
    ]);
    const actions = body.items.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(['workspace.created', 'personal_token.created', 'api_key.created']),
    );
  });

  it('tells of each change, and of none that failed or changed nothing', async () => {
    const workspace = await newWorkspace();
    const { slug, owner } = workspace;
    const app = client({ cookie: owner.cookie, workspace: slug });
    const count = (await app.get(`${AUDIT}?limit=100`)).body.items.length;
    const environment = (await app.post(ENVIRONMENTS, { name: 'a' })).body;
    await app.post(ENVIRONMENTS, { name: 'a' });
    await app.patch(`${ENVIRONMENTS}/a`, { approvalPolicy: 'always' });
    await app.patch(`${ENVIRONMENTS}/a`, { approvalPolicy: 'always' });
    await app.delete(`${ENVIRONMENTS}/production`);
    await app.delete(`${ENVIRONMENTS}/a`);
    const key = (await app.post('/v1/workspace/api-keys', { name: 'k' })).body;
    await app.delete(`/v1/workspace/api-keys/${key.id}`);
    await app.patch('/v1/workspace', { name: 'Acme' });
    await app.patch('/v1/workspace', { name: 'Acme 2' });
    const token = (
      await app.post('/v1/account/tokens', { name: 't', scopes: ['runs:read'], workspaces: [slug] })
    ).body;
    await client({ token: token.token }).delete('/v1/user/token');
    const { items } = (await app.get(`${AUDIT}?limit=100`)).body;
    const told = items.slice(0, items.length - count).reverse();
    expect(
      told.map((event: { action: string; target: { id: string } }) => [event.action, event.target.id]),
    ).toEqual([
      ['environment.created', environment.id],
      ['environment.updated', environment.id],
      ['environment.deleted', environment.id],
      ['api_key.created', key.id],
      ['api_key.revoked', key.id],
      ['workspace.renamed', workspace.id],
      ['personal_token.created', token.id],
      ['personal_token.revoked', token.id],
    ]);
  });

  it('does not tell a workspace of tokens that cannot act in it', async () => {
    const workspace = await newWorkspace();
    const { slug, owner } = workspace;
    const app = client({ cookie: owner.cookie, workspace: slug });
    await app.post('/v1/workspaces', { name: 'Two', slug: `${slug}-2` });
    const before = (await app.get(`${AUDIT}?limit=1`)).body.items[0].id;
    await app.post('/v1/account/tokens', { name: 't', scopes: ['runs:read'], workspaces: [`${slug}-2`] });
    expect((await app.get(`${AUDIT}?limit=1`)).body.items[0].id).toBe(before);
  });

  it('tells what was done to one thing', async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const api = byOwner(workspace);
    const [one] = [
      (await api.post(ENVIRONMENTS, { name: 'one' })).body,
      await api.post(ENVIRONMENTS, { name: 'two' }),
    ];
    await api.patch(`${ENVIRONMENTS}/one`, { approvalPolicy: 'always' });
    const actions = async (query: string, of = api): Promise<string[]> =>
      (await of.get(`${AUDIT}?${query}`)).body.items.map(({ action }: { action: string }) => action);
    expect(await actions(`target=${one.id}`)).toEqual(['environment.updated', 'environment.created']);
    expect(await actions(`target=${one.id}&action=environment.created`)).toEqual(['environment.created']);
    expect(await actions(`target=${one.id}`, byOwner(other))).toEqual([]);
    const { text } = await api.get(`${AUDIT}/export?format=ndjson&target=${one.id}`);
    expect(text.trim().split('\n')).toHaveLength(2);
    for (const wrong of ['run_01k7q3v5yzf8c9m2n4p6r8t0vw', 'one', "env_'"]) {
      const { status, body } = await api.get(`${AUDIT}?target=${encodeURIComponent(wrong)}`);
      expect([status, body.error.details[0].path]).toEqual([400, 'target']);
    }
  });

  it('pages, newest first, through what is of this workspace', async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const api = byOwner(workspace);
    for (const name of ['a', 'b', 'c']) await api.post(ENVIRONMENTS, { name });
    const whole = (await api.get(`${AUDIT}?limit=100`)).body.items;
    expect(whole.map(({ id }: { id: string }) => id)).toEqual(
      whole
        .map(({ id }: { id: string }) => id)
        .sort()
        .reverse(),
    );
    const walked: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: unknown[]; nextCursor: string | null } = (
        await api.get(`${AUDIT}?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`)
      ).body;
      expect(page.items.length).toBeLessThanOrEqual(2);
      walked.push(...page.items);
      if (page.nextCursor) {
        expect((await byOwner(other).get(`${AUDIT}?limit=2&cursor=${page.nextCursor}`)).status).toBe(400);
      }
      cursor = page.nextCursor;
    } while (cursor);
    expect(walked).toEqual(whole);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=ten',
    'limit=',
    'cursor=',
    'cursor=nonsense',
    'action=x',
    'action=',
    'action=toString',
    'action=run.started&action=run.cancelled',
    'actor=',
    'actor=nobody',
    'actor=mem_01kqzzzzzz0000000000000000',
    'since=',
    'since=yesterday',
    'since=2026-02-30T00:00:00Z',
    'since=2026-02-03',
    'since=1770000000',
    'until=yesterday',
    'before=2026-02-03T00:00:00Z',
  ])('refuses ?%s', async (query) => {
    const answer = await byOwner(await newWorkspace()).get(`${AUDIT}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].path).toBe(query.split('=')[0]);
  });

  it('is for owners, for admins in the app, and for keys', async () => {
    const workspace = await newWorkspace();
    const { slug, owner } = workspace;
    const admin = await workspace.person('admin');
    const member = await workspace.person('member');
    const guest = await workspace.person('guest');
    const ask = async (options: Parameters<typeof client>[0]) =>
      (await client({ workspace: slug, ...options }).get(AUDIT)).status;
    expect({
      owner: await ask({ cookie: owner.cookie }),
      'owner by token': await ask({ token: await owner.tokenWith({ scopes: ['workspace.audit:read'] }) }),
      "owner's agent": await ask({ token: await owner.agent() }),
      admin: await ask({ cookie: admin.cookie }),
      'admin by token': await ask({ token: admin.token }),
      "admin's agent": await ask({ token: await admin.agent() }),
      member: await ask({ cookie: member.cookie }),
      'member by token': await ask({ token: member.token }),
      guest: await ask({ cookie: guest.cookie }),
      key: await ask({ token: await workspace.apiKey() }),
      'bound key': await ask({ token: await workspace.apiKey('production') }),
      'without the scope': await ask({ token: await owner.tokenWith({ scopes: ['workspace:read'] }) }),
      nobody: await ask({}),
    }).toEqual({
      owner: 200,
      'owner by token': 200,
      "owner's agent": 200,
      admin: 200,
      'admin by token': 403,
      "admin's agent": 403,
      member: 403,
      'member by token': 403,
      guest: 403,
      key: 200,
      // Entries of all environments stand there.
      'bound key': 403,
      'without the scope': 403,
      nobody: 401,
    });
  });

  describe('by filters', () => {
    type Event = { id: string; action: string; actor: { userId: string } | null; createdAt: string };
    const byPerson = (event: Event) => event.actor?.userId;

    async function busyWorkspace() {
      const workspace = await newWorkspace();
      const admin = await workspace.person('admin');
      const app = client({ cookie: admin.cookie, workspace: workspace.slug });
      const key = client({ token: await workspace.apiKey() });
      const api = byOwner(workspace);
      for (const name of ['a', 'b']) {
        await app.post(ENVIRONMENTS, { name: `${name}-by-admin` });
        await api.post(ENVIRONMENTS, { name: `${name}-by-owner` });
        await key.post(ENVIRONMENTS, { name: `${name}-by-key` });
        await api.patch(`${ENVIRONMENTS}/${name}-by-owner`, { approvalPolicy: 'always' });
      }
      const list = async (query: string): Promise<Event[]> => {
        const { status, body, text } = await api.get(`${AUDIT}?limit=100&${query}`);
        expect(status, text).toBe(200);
        expect(body.nextCursor).toBeNull();
        return body.items;
      };
      const all = (await api.get(`${AUDIT}?limit=100`)).body.items as Event[];
      return { workspace, admin, api, list, all };
    }

    it('finds what was done, who did it, since when, and all of it together', async () => {
      const { workspace, admin, list, all } = await busyWorkspace();
      const { owner } = workspace;
      const created = all.filter(({ action }) => action === 'environment.created');
      expect(created).toHaveLength(6);
      expect(await list('action=environment.created')).toEqual(created);
      expect(await list('action=script.archived')).toEqual([]);

      const byOwnerOnly = all.filter((event) => byPerson(event) === owner.id);
      expect(byOwnerOnly.length).toBeGreaterThan(4);
      expect(await list(`actor=${owner.id}`)).toEqual(byOwnerOnly);
      expect(await list(`actor=${admin.id}&action=environment.created`)).toEqual(
        created.filter((event) => byPerson(event) === admin.id),
      );
      expect(await list('actor=usr_01kqzzzzzz0000000000000000')).toEqual([]);

      const { createdAt: since } = all[3]!;
      const expected = all.filter(({ createdAt }) => createdAt >= since);
      expect(expected.length).toBeGreaterThan(3);
      expect(expected.length).toBeLessThan(all.length);
      expect(await list(`since=${since}`)).toEqual(expected);
      const elsewhere = new Date(new Date(since).getTime() + 3_600_000)
        .toISOString()
        .replace('Z', '%2B01:00');
      expect(await list(`since=${elsewhere}`)).toEqual(expected);
      expect(await list('since=2999-01-01T00:00:00Z')).toEqual([]);
      expect(await list('since=0001-01-01T00:00:00Z')).toEqual(all);
      expect(await list(`since=${since}&actor=${owner.id}&action=environment.created`)).toEqual(
        expected.filter((event) => byPerson(event) === owner.id && event.action === 'environment.created'),
      );
    });

    it('shows nothing of another workspace, whatever the filter', async () => {
      const { workspace, list } = await busyWorkspace();
      const other = await newWorkspace();
      const there = await byOwner(other).get(`${AUDIT}?actor=${workspace.owner.id}`);
      expect(there.body.items).toEqual([]);
      expect(await list(`actor=${other.owner.id}`)).toEqual([]);
    });

    it('pages through a filtered list, with cursors that are good for that filter alone', async () => {
      const { workspace, api, all } = await busyWorkspace();
      const filters = [
        'action=environment.created',
        `actor=${workspace.owner.id}`,
        `since=${all.at(-2)!.createdAt}`,
      ];
      for (const filter of filters) {
        const whole = (await api.get(`${AUDIT}?${filter}&limit=100`)).body.items;
        const walked: Event[] = [];
        let cursor = '';
        do {
          const { body } = await api.get(`${AUDIT}?${filter}&limit=2${cursor && `&cursor=${cursor}`}`);
          walked.push(...body.items);
          cursor = body.nextCursor ?? '';
          for (const other of ['', ...filters.filter((one) => one !== filter)]) {
            if (!cursor) break;
            const { status, body: refused } = await api.get(`${AUDIT}?${other}&limit=2&cursor=${cursor}`);
            expect([status, refused.error.details?.[0].path]).toEqual([400, 'cursor']);
          }
        } while (cursor);
        expect(walked).toEqual(whole);
      }
    });

    it('reads one range of an index for each, however long the trail', async () => {
      const { id: workspaceId } = await newWorkspace();
      const sql = database();
      await sql.query(
        `INSERT INTO audit_events (id, workspace_id, action, actor_type, actor_user_id, created_at)
         SELECT 'aud_00' || lpad(n::text, 24, '0'), $1, CASE WHEN n % 5000 = 0 THEN 'file.deleted' ELSE 'run.started' END,
           'user', CASE WHEN n % 5000 = 1 THEN 'usr_rare' ELSE 'usr_busy' END, to_timestamp(n)
         FROM generate_series(1, 20000) n`,
        [workspaceId],
      );
      await sql.query('ANALYZE audit_events');
      const condition = {
        audit_events_by_action: `action = 'file.deleted'`,
        audit_events_by_actor: `actor_user_id = 'usr_rare'`,
      };
      for (const [index, filter] of Object.entries(condition)) {
        const { rows } = await sql.query(
          `EXPLAIN SELECT id FROM audit_events WHERE workspace_id = $1 AND ${filter} ORDER BY id DESC LIMIT 26`.replace(
            '$1',
            `'${workspaceId}'`,
          ),
        );
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toContain(`using ${index}`);
        expect(plan).not.toMatch(/Sort|Filter/);
      }
    });
  });
});

describe('the audit trail', () => {
  it.each([
    `UPDATE audit_events SET action = 'run.started'`,
    `UPDATE audit_events SET details = '{}' WHERE id = 'aud_none'`,
    'DELETE FROM audit_events',
    `DELETE FROM audit_events WHERE id = (SELECT max(id) FROM audit_events)`,
    'TRUNCATE audit_events',
    `UPDATE audit_events SET created_at = created_at - interval '2 years'`,
    `WITH gone AS (DELETE FROM audit_events RETURNING id) SELECT count(*) FROM gone`,
    `MERGE INTO audit_events a USING workspaces w ON a.workspace_id = w.id WHEN MATCHED THEN DELETE`,
    `MERGE INTO audit_events a USING workspaces w ON a.workspace_id = w.id WHEN MATCHED THEN UPDATE SET action = 'x'`,
    `INSERT INTO audit_events (id, workspace_id, action, actor_type) SELECT id, workspace_id, action, 'staff' FROM audit_events
     ON CONFLICT (id) DO UPDATE SET actor_type = 'staff'`,
  ])('is append-only in the database itself: %s', async (statement) => {
    await newWorkspace();
    const count = async () => (await database().query('SELECT count(*) FROM audit_events')).rows[0].count;
    const before = await count();
    expect(Number(before)).toBeGreaterThan(0);
    await expect(lockingBriefly(statement)).rejects.toThrow(/audit trail is append-only/);
    expect(Number(await count())).toBeGreaterThanOrEqual(Number(before));
  });

  it('is closed to every other role of the database', async () => {
    const { rows } = await database().query(
      `SELECT relacl, relowner = current_user::regrole AS own FROM pg_class WHERE oid = 'audit_events'::regclass`,
    );
    expect(rows).toEqual([{ relacl: null, own: true }]);
  });

  it('is so for sessions of every role, those that replicate too', async () => {
    const { rows } = await database().query(
      `SELECT tgenabled FROM pg_trigger WHERE tgname IN ('audit_events_append_only', 'audit_events_kept')`,
    );
    expect(rows).toEqual([{ tgenabled: 'A' }, { tgenabled: 'A' }]);
  });
});
