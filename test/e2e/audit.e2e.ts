import { describe, expect, it } from 'vitest';

import type { TestWorkspace } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';

const AUDIT = '/v1/workspace/audit-events';
const ENVIRONMENTS = '/v1/workspace/environments';
const byOwner = ({ owner, slug }: TestWorkspace) => client({ token: owner.token, workspace: slug });

describe('GET /v1/workspace/audit-events', () => {
  it('tells what was done, by whom and with what', async () => {
    const workspace = await newWorkspace();
    const { slug, owner } = workspace;
    const key = await workspace.apiKey();
    await client({ cookie: owner.cookie, workspace: slug }).post(ENVIRONMENTS, { name: 'by-app' });
    await client({ token: owner.token, workspace: slug }).post(ENVIRONMENTS, { name: 'by-token' });
    await client({ token: key }).post(ENVIRONMENTS, { name: 'by-key' });
    await client({ token: await owner.agent(), workspace: slug }).post(ENVIRONMENTS, { name: 'by-agent' });
    const { status, body } = await byOwner(workspace).get(AUDIT);
    expect(status).toBe(200);
    const created = body.items.filter(({ action }: { action: string }) => action === 'environment.created');
    const person = { userId: owner.id, name: owner.name };
    const event = (actorType: string, credential: object | null, actor: object | null) => ({
      id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
      action: 'environment.created',
      actorType,
      credential,
      target: { type: 'environment', id: expect.stringMatching(/^env_/) },
      actor,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(created).toEqual([
      event('user', { type: 'pat', name: 'Test agent' }, person),
      event('api_key', { type: 'api_key', name: 'test key' }, null),
      event('user', { type: 'pat', name: 'test token' }, person),
      event('user', null, person),
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
      'bound key': 200,
      'without the scope': 403,
      nobody: 401,
    });
  });
});
