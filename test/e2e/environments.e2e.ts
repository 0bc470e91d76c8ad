import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import type { Answer, Client, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';

const ENVIRONMENTS = '/v1/workspace/environments';
const paths = (answer: Answer): string[] =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
const byOwner = ({ owner, slug }: TestWorkspace) => client({ token: owner.token, workspace: slug });
const names = (answer: Answer): string[] => answer.body.items.map(({ name }: { name: string }) => name);

async function events(workspaceId: string) {
  const { rows } = await database().query<{
    environmentId: string | null;
    data: { name: string; changed: string[] };
  }>(
    `SELECT environment_id AS "environmentId", data FROM events
     WHERE workspace_id = $1 AND type = 'environment.updated' ORDER BY id`,
    [workspaceId],
  );
  return rows;
}

describe('POST /v1/workspace/environments', () => {
  it('makes one with its defaults', async () => {
    const workspace = await newWorkspace();
    const made = await byOwner(workspace).post(ENVIRONMENTS, { name: 'staging' });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^env_[0-9a-z]{26}$/),
      name: 'staging',
      approvalPolicy: 'none',
      agentsAllowed: true,
      runsOn: [],
      isDefault: false,
      createdByUserId: workspace.owner.id,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: made.body.createdAt,
    });
    const acting = client({
      token: workspace.owner.token,
      workspace: workspace.slug,
      environment: 'staging',
    });
    expect((await acting.get('/v1/workspace')).status).toBe(200);
  });

  it('makes one as asked, also by a key, which is no person', async () => {
    const workspace = await newWorkspace();
    const api = client({ token: await workspace.apiKey() });
    const body = { name: 'EU West_1.b-c', approvalPolicy: 'always', agentsAllowed: false };
    const made = await api.post(ENVIRONMENTS, body);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...body, createdByUserId: null });
    expect((await api.get(`${ENVIRONMENTS}/${encodeURIComponent(body.name)}`)).body.id).toBe(made.body.id);
  });

  it.each([
    [{}, ['name']],
    [{ name: '' }, ['name']],
    [{ name: ' a' }, ['name']],
    [{ name: 'a ' }, ['name']],
    [{ name: 'Zoë' }, ['name']],
    [{ name: 'a\nb' }, ['name']],
    [{ name: 'a/b' }, ['name']],
    [{ name: 'x'.repeat(101) }, ['name']],
    [{ name: 'env_01j00000000000000000000000' }, ['name']],
    [{ name: null }, ['name']],
    [{ name: 5 }, ['name']],
    [{ name: 'a', approvalPolicy: 'never' }, ['approvalPolicy']],
    [{ name: 'a', approvalPolicy: null }, ['approvalPolicy']],
    [{ name: 'a', agentsAllowed: 'yes' }, ['agentsAllowed']],
    [{ name: 'a', agentsAllowed: null }, ['agentsAllowed']],
    [{ name: 'a', isDefault: true }, ['isDefault']],
  ])('refuses %j at %j', async (body, at) => {
    const answer = await byOwner(await newWorkspace()).post(ENVIRONMENTS, body);
    expect([answer.status, paths(answer)]).toEqual([400, at]);
  });

  it('refuses a name that is taken here, also when asked twice at once', async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const api = byOwner(workspace);
    const again = await api.post(ENVIRONMENTS, { name: 'production' });
    expect([again.status, again.body.error.code, paths(again)]).toEqual([409, 'conflict', ['name']]);
    const two = await Promise.all([1, 2].map(() => api.post(ENVIRONMENTS, { name: 'twin' })));
    expect(two.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await byOwner(other).post(ENVIRONMENTS, { name: 'twin' })).status).toBe(201);
    expect((await api.post(ENVIRONMENTS, { name: 'Production' })).status).toBe(201);
  });
});

describe('GET /v1/workspace/environments', () => {
  it("pages through the workspace's own, newest first", async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const api = byOwner(workspace);
    for (const name of ['a', 'b']) await api.post(ENVIRONMENTS, { name });
    await byOwner(other).post(ENVIRONMENTS, { name: 'elsewhere' });
    const first = await api.get(`${ENVIRONMENTS}?limit=2`);
    expect(names(first)).toEqual(['b', 'a']);
    expect(first.body.items[0]).not.toHaveProperty('usage');
    const last = await api.get(`${ENVIRONMENTS}?limit=2&cursor=${first.body.nextCursor}`);
    expect([names(last), last.body.nextCursor]).toEqual([['production'], null]);
    expect((await byOwner(other).get(`${ENVIRONMENTS}?cursor=${first.body.nextCursor}`)).status).toBe(400);
    for (const query of ['limit=0', 'limit=101', 'cursor=x', 'name=a']) {
      const answer = await api.get(`${ENVIRONMENTS}?${query}`);
      expect([answer.status, paths(answer)]).toEqual([400, [query.split('=')[0]]]);
    }
  });
});

describe('GET /v1/workspace/environments/{idOrName}', () => {
  it('is found by id and by name, with what it is used for', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    for (const which of [workspace.environmentId, 'production']) {
      const answer = await api.get(`${ENVIRONMENTS}/${which}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        id: workspace.environmentId,
        name: 'production',
        isDefault: true,
        usage: { secretValues: 0, schedules: 0, triggers: 0, hooks: 0 },
      });
    }
  });

  it('finds none that is unknown, deleted or of another workspace', async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const api = byOwner(workspace);
    const gone = (await api.post(ENVIRONMENTS, { name: 'gone' })).body;
    await api.delete(`${ENVIRONMENTS}/gone`);
    for (const which of [
      'nowhere',
      'gone',
      gone.id,
      other.environmentId,
      'PRODUCTION',
      '%2e%2e',
      'Zo%C3%AB',
    ]) {
      for (const answer of [
        await api.get(`${ENVIRONMENTS}/${which}`),
        await api.patch(`${ENVIRONMENTS}/${which}`, { name: 'x' }),
        await api.delete(`${ENVIRONMENTS}/${which}`),
      ]) {
        expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
      }
    }
  });
});

describe('who may read and change environments', () => {
  it('is decided by role and scope, before the body is looked at', async () => {
    const workspace = await newWorkspace();
    const { slug, owner } = workspace;
    const as = async (options: Parameters<typeof client>[0]) => {
      const api = client({ workspace: slug, ...options });
      return [
        (await api.get(ENVIRONMENTS)).status,
        (await api.get(`${ENVIRONMENTS}/production`)).status,
        (await api.post(ENVIRONMENTS, {})).status,
        (await api.patch(`${ENVIRONMENTS}/nowhere`, { name: 'x' })).status,
        (await api.delete(`${ENVIRONMENTS}/nowhere`)).status,
      ];
    };
    const [admin, member, guest] = [
      await workspace.person('admin'),
      await workspace.person('member'),
      await workspace.person('guest'),
    ];
    const all = [200, 200, 400, 404, 404];
    const reading = [200, 200, 403, 403, 403];
    const nothing = [403, 403, 403, 403, 403];
    expect(await as({ cookie: owner.cookie })).toEqual(all);
    expect(await as({ token: admin.token })).toEqual(all);
    expect(await as({ token: await admin.agent() })).toEqual(all);
    expect(await as({ token: await workspace.apiKey() })).toEqual(all);
    expect(await as({ cookie: member.cookie })).toEqual(reading);
    expect(await as({ token: member.token })).toEqual(reading);
    expect(await as({ cookie: guest.cookie })).toEqual(nothing);
    expect(await as({ token: guest.token })).toEqual(nothing);
    expect(await as({ token: await owner.tokenWith({ scopes: ['workspace.environments:read'] }) })).toEqual(
      reading,
    );
    const writes = await owner.tokenWith({ scopes: ['workspace.environments:write'] });
    expect(await as({ token: writes })).toEqual([403, 403, 400, 404, 404]);
    expect(await as({})).toEqual([401, 401, 401, 401, 401]);
  });

  it('leaves a bound key its own environment, to read', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const staging = (await api.post(ENVIRONMENTS, { name: 'staging' })).body;
    await api.post(ENVIRONMENTS, { name: 'other' });
    const bound = client({ token: await workspace.apiKey('staging') });
    expect(names(await bound.get(ENVIRONMENTS))).toEqual(['staging']);
    expect((await bound.get(`${ENVIRONMENTS}?limit=1`)).body.nextCursor).toBeNull();
    expect((await bound.get(`${ENVIRONMENTS}/${staging.id}`)).status).toBe(200);
    expect((await bound.get(`${ENVIRONMENTS}/staging`)).status).toBe(200);
    expect((await bound.get(`${ENVIRONMENTS}/other`)).status).toBe(404);
    expect((await bound.get(`${ENVIRONMENTS}/${workspace.environmentId}`)).status).toBe(404);
    expect((await bound.post(ENVIRONMENTS, { name: 'new' })).status).toBe(403);
    expect((await bound.patch(`${ENVIRONMENTS}/staging`, { approvalPolicy: 'always' })).status).toBe(403);
    expect((await bound.delete(`${ENVIRONMENTS}/other`)).status).toBe(403);
  });
});

describe('PATCH /v1/workspace/environments/{idOrName}', () => {
  it('changes what is given, and tells of it', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const made = (await api.post(ENVIRONMENTS, { name: 'staging' })).body;
    const patch = { name: 'stage', approvalPolicy: 'agents', agentsAllowed: false };
    const answer = await api.patch(`${ENVIRONMENTS}/staging`, patch);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...made, ...patch, updatedAt: expect.stringMatching(/Z$/) });
    expect(answer.body.updatedAt > made.updatedAt).toBe(true);
    expect((await api.get(`${ENVIRONMENTS}/staging`)).status).toBe(404);
    expect((await api.get(`${ENVIRONMENTS}/stage`)).body).toMatchObject(answer.body);
    expect(await events(workspace.id)).toEqual([
      {
        environmentId: null,
        data: { name: 'stage', changed: ['name', 'approvalPolicy', 'agentsAllowed'] },
      },
    ]);
  });

  it('tells of nothing where nothing changes', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const { usage: _, ...before } = (await api.get(`${ENVIRONMENTS}/production`)).body;
    for (const patch of [{}, { name: 'production', agentsAllowed: true }, { isDefault: true }]) {
      const answer = await api.patch(`${ENVIRONMENTS}/production`, patch);
      expect([answer.status, answer.body]).toEqual([200, before]);
    }
    expect(await events(workspace.id)).toEqual([]);
  });

  it.each([
    [{ name: null }, ['name']],
    [{ name: 'a ' }, ['name']],
    [{ approvalPolicy: null }, ['approvalPolicy']],
    [{ approvalPolicy: 'ALWAYS' }, ['approvalPolicy']],
    [{ agentsAllowed: null }, ['agentsAllowed']],
    [{ agentsAllowed: 0 }, ['agentsAllowed']],
    [{ isDefault: false }, ['isDefault']],
    [{ isDefault: null }, ['isDefault']],
    [{ isDefault: 'true' }, ['isDefault']],
    [{ id: 'env_x' }, ['id']],
  ])('refuses %j at %j', async (body, at) => {
    const workspace = await newWorkspace();
    const answer = await byOwner(workspace).patch(`${ENVIRONMENTS}/production`, body);
    expect([answer.status, paths(answer)]).toEqual([400, at]);
    expect(answer.body.error.details[0].message).toMatch(/^(must|may|is) /);
  });

  it('refuses a name that is taken, and changes nothing', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    await api.post(ENVIRONMENTS, { name: 'staging' });
    const patch = { name: 'production', approvalPolicy: 'always', isDefault: true };
    const answer = await api.patch(`${ENVIRONMENTS}/staging`, patch);
    expect([answer.status, paths(answer)]).toEqual([409, ['name']]);
    expect((await api.get(`${ENVIRONMENTS}/staging`)).body).toMatchObject({
      approvalPolicy: 'none',
      isDefault: false,
    });
    expect((await api.get(`${ENVIRONMENTS}/production`)).body.isDefault).toBe(true);
    expect(await events(workspace.id)).toEqual([]);
  });

  it('makes another the default', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const staging = (await api.post(ENVIRONMENTS, { name: 'staging' })).body;
    const answer = await api.patch(`${ENVIRONMENTS}/${staging.id}`, { isDefault: true });
    expect([answer.status, answer.body.isDefault]).toEqual([200, true]);
    expect((await api.get(`${ENVIRONMENTS}/production`)).body.isDefault).toBe(false);
    expect(await events(workspace.id)).toEqual([
      { environmentId: null, data: { name: 'production', changed: ['isDefault'] } },
      { environmentId: null, data: { name: 'staging', changed: ['isDefault'] } },
    ]);
    expect((await api.delete(`${ENVIRONMENTS}/production`)).status).toBe(204);
  });

  it('leaves exactly one default, however many are asked for at once', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const wanted = ['a', 'b', 'c', 'd'];
    for (const name of wanted) await api.post(ENVIRONMENTS, { name });
    const answers = await Promise.all(
      [...wanted, ...wanted].map((name) => api.patch(`${ENVIRONMENTS}/${name}`, { isDefault: true })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { items } = (await api.get(ENVIRONMENTS)).body;
    expect(items.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1);
  });

  it('is loosened by owners and admins in person alone', async () => {
    const workspace = await newWorkspace();
    const { slug, owner } = workspace;
    const admin = await workspace.person('admin');
    const strict = { approvalPolicy: 'always', agentsAllowed: false };
    await byOwner(workspace).post(ENVIRONMENTS, { name: 'live', ...strict });
    const behind: Client[] = [
      client({ token: await workspace.apiKey() }),
      client({ token: await owner.agent(), workspace: slug }),
    ];
    for (const api of behind) {
      for (const patch of [
        { approvalPolicy: 'agents' },
        { approvalPolicy: 'none', name: 'harmless' },
        { agentsAllowed: true },
      ]) {
        const answer = await api.patch(`${ENVIRONMENTS}/live`, patch);
        expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
      }
      expect((await api.patch(`${ENVIRONMENTS}/live`, { ...strict, name: 'live' })).status).toBe(200);
      expect((await api.patch(`${ENVIRONMENTS}/production`, strict)).status).toBe(200);
    }
    const inPerson = client({ token: admin.token, workspace: slug });
    const loosened = await inPerson.patch(`${ENVIRONMENTS}/live`, {
      approvalPolicy: 'none',
      agentsAllowed: true,
    });
    expect(loosened.body).toMatchObject({ approvalPolicy: 'none', agentsAllowed: true });
  });
});

describe('DELETE /v1/workspace/environments/{idOrName}', () => {
  async function openRun(workspace: TestWorkspace, environmentId: string, phase: string, status: string) {
    const id = `run_0${randomBytes(13).toString('hex').slice(0, 25)}`;
    await database().query(
      `INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status,
         phase, inputs, by_agent, interface, test, finished_at)
       VALUES ($1, $2, $3, 'scr_x', 'x', 'ver_x', 1, $4,
         $5, '{}', false, 'api', false, CASE WHEN $5 = 'finished' THEN now() END)`,
      [id, workspace.id, environmentId, status, phase],
    );
    return id;
  }

  it('takes it away and frees its name', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const made = (await api.post(ENVIRONMENTS, { name: 'short-lived' })).body;
    const answer = await api.delete(`${ENVIRONMENTS}/${made.id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(names(await api.get(ENVIRONMENTS))).toEqual(['production']);
    const acting = client({
      token: workspace.owner.token,
      workspace: workspace.slug,
      environment: 'short-lived',
    });
    expect((await acting.get('/v1/workspace')).status).toBe(400);
    expect((await api.delete(`${ENVIRONMENTS}/${made.id}`)).status).toBe(404);
    const again = await api.post(ENVIRONMENTS, { name: 'short-lived' });
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(made.id);
  });

  it('is refused for the default one', async () => {
    const answer = await byOwner(await newWorkspace()).delete(`${ENVIRONMENTS}/production`);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
    expect(answer.body.error.message).toContain('default');
  });

  it('is refused while keys are bound to it or runs are open in it, and says so', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const { id } = (await api.post(ENVIRONMENTS, { name: 'staging' })).body;
    await workspace.apiKey('staging');
    await openRun(workspace, id, 'finished', 'succeeded');
    const open = [
      await openRun(workspace, id, 'held', 'awaiting_approval'),
      await openRun(workspace, id, 'finished', 'failed'),
    ];
    const held = await api.delete(`${ENVIRONMENTS}/staging`);
    expect([held.status, held.body.error.code]).toEqual([409, 'conflict']);
    expect(held.body.error.message).toContain('1 API key bound to it and 1 run that is not finished');
    await database().query(`UPDATE runs SET status = 'cancelled', phase = 'finished' WHERE id = ANY ($1)`, [
      open,
    ]);
    const app = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
    const key = (await app.get('/v1/workspace/api-keys')).body.items[0].id;
    expect((await api.delete(`${ENVIRONMENTS}/staging`)).status).toBe(409);
    await app.delete(`/v1/workspace/api-keys/${key}`);
    expect((await api.delete(`${ENVIRONMENTS}/staging`)).status).toBe(204);
    await database().query('DELETE FROM runs WHERE workspace_id = $1', [workspace.id]);
  });

  it('never takes the default away, also when it becomes the default meanwhile', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    for (let round = 0; round < 5; round++) {
      const name = `race-${round}`;
      await api.post(ENVIRONMENTS, { name });
      const [patched, deleted] = await Promise.all([
        api.patch(`${ENVIRONMENTS}/${name}`, { isDefault: true }),
        api.delete(`${ENVIRONMENTS}/${name}`),
      ]);
      expect([
        [200, 409],
        [404, 204],
      ]).toContainEqual([patched.status, deleted.status]);
      const { items } = (await api.get(ENVIRONMENTS)).body;
      expect(items.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1);
    }
  });

  it('never leaves a key bound to what is gone', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    const app = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
    for (let round = 0; round < 5; round++) {
      const name = `race-${round}`;
      await api.post(ENVIRONMENTS, { name });
      const [made, deleted] = await Promise.all([
        app.post('/v1/workspace/api-keys', { name: 'k', environment: name }),
        api.delete(`${ENVIRONMENTS}/${name}`),
      ]);
      expect([
        [201, 409],
        [400, 204],
      ]).toContainEqual([made.status, deleted.status]);
    }
  });
});
