import { beforeAll, describe, expect, it } from 'vitest';

import type { Json, TestPerson, TestWorkspace } from '../../../libs/testing/index.js';
import { client, database, newWorkspace } from '../../support/gatehouse.js';
import { expire, giveToRun, newEnvironment, newOutput, newRun, newScript, newTeam } from './records.js';

let workspace: TestWorkspace;

const as = (token: string, environment?: string): ReturnType<typeof client> =>
  client({ token, workspace: workspace.slug, ...(environment !== undefined && { environment }) });

async function upload(token: string, name = 'a.txt', environment?: string): Promise<string> {
  const { status, body } = await as(token, environment).post(`/v1/files?name=${name}`, 'hello', {
    'content-type': 'text/plain',
  });
  expect(status).toBe(201);
  return body.id;
}

const listed = async (token: string): Promise<string[]> => {
  const { body } = await as(token).get('/v1/files?limit=100');
  return body.items.map(({ id }: Json) => id);
};

beforeAll(async () => {
  workspace = await newWorkspace();
});

describe('GET /v1/files', () => {
  it('lists newest first, page by page, without what has expired', async () => {
    const { owner } = (workspace = await newWorkspace());
    const ids = [];
    for (let count = 0; count < 5; count++) ids.unshift(await upload(owner.token, `f${count}.txt`));
    await expire(ids.splice(2, 1)[0]!);
    const api = as(owner.token);
    const first = await api.get('/v1/files?limit=3');
    expect(first.status).toBe(200);
    expect(first.body.items.map(({ id }: Json) => id)).toEqual(ids.slice(0, 3));
    const second = await api.get(`/v1/files?limit=3&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ items: [{ id: ids[3] }], nextCursor: null });
  });

  it('shows an unused upload, a used one and an output with script, run and who started it', async () => {
    const { owner } = (workspace = await newWorkspace());
    const script = await newScript(workspace);
    const run = await newRun(workspace, script, {
      userId: owner.id,
      credentialType: 'pat',
      credentialName: 'laptop',
    });
    const byAgent = await newRun(workspace, script, {
      userId: owner.id,
      credentialType: 'oauth',
      credentialName: 'Helper',
    });
    const byKey = await newRun(workspace, script, { credentialType: 'api_key', credentialName: 'ci' });
    const unused = await upload(owner.token);
    const used = await upload(owner.token, 'table.csv');
    await giveToRun(used, run);
    const output = await newOutput(run, unused, 'charts/a.svg');
    const agents = await newOutput(byAgent, unused);
    const keys = await newOutput(byKey, unused);
    const uploadedByKey = await upload(await workspace.apiKey());
    const uploadedByAgent = await upload(await owner.agent());
    const { body } = await as(owner.token).get('/v1/files');
    const items = new Map<string, Json>(body.items.map((item: Json) => [item.id, item]));
    const { rows } = await database().query('SELECT started_at FROM runs WHERE id = $1', [run]);
    const ofRun = { id: run, startedAt: rows[0].started_at.toISOString() };
    const ofScript = { slug: script.slug, name: 'Sums' };
    expect(items.get(unused)).toEqual({
      id: unused,
      name: 'a.txt',
      type: 'text/plain',
      size: 5,
      direction: 'in',
      runId: null,
      field: null,
      sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      downloadUrl: expect.any(String),
      script: { slug: null, name: null },
      run: null,
      startedBy: owner.name,
    });
    expect(items.get(used)).toMatchObject({
      runId: run,
      field: 'table',
      run: ofRun,
      script: ofScript,
      startedBy: owner.name,
    });
    expect(items.get(output)).toMatchObject({
      name: 'charts/a.svg',
      direction: 'out',
      field: null,
      run: ofRun,
    });
    expect(items.get(agents).startedBy).toBe('Helper');
    expect(items.get(keys).startedBy).toBe('ci');
    expect(items.get(uploadedByKey).startedBy).toBe('test key');
    expect(items.get(uploadedByAgent).startedBy).toBe('Test agent');
    const download = await fetch(items.get(output).downloadUrl);
    expect(download.headers.get('content-disposition')).toContain("filename*=UTF-8''a.svg");
    await download.arrayBuffer();
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'runId=run_1'])('refuses ?%s', async (query) => {
    const { status, body } = await as(workspace.owner.token).get(`/v1/files?${query}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  });

  it('refuses the cursor of another viewer', async () => {
    const { owner } = (workspace = await newWorkspace());
    await upload(owner.token);
    await upload(owner.token);
    const { body } = await as(owner.token).get('/v1/files?limit=1');
    const guest = await workspace.person('guest');
    expect((await as(guest.token).get(`/v1/files?cursor=${body.nextCursor}`)).status).toBe(400);
  });

  it('needs the scope', async () => {
    const token = await workspace.owner.tokenWith({ scopes: ['files:write'] });
    expect((await as(token).get('/v1/files')).status).toBe(403);
    expect((await client().get('/v1/files')).status).toBe(401);
  });
});

describe('Who sees which files', () => {
  let [admin, member, outsider, guest] = [] as unknown as TestPerson[];
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    workspace = await newWorkspace();
    [admin, member, outsider, guest] = await Promise.all([
      workspace.person('admin'),
      workspace.person('member'),
      workspace.person('member'),
      workspace.person('guest'),
    ]);
    const team = await newTeam(workspace, [member!.id, guest!.id]);
    const open = await newScript(workspace);
    const shared = await newScript(workspace, 'teams', [team]);
    ids['ownerUpload'] = await upload(workspace.owner.token);
    ids['memberUpload'] = await upload(member!.token);
    ids['guestUpload'] = await upload(guest!.token);
    ids['openOutput'] = await newOutput(
      await newRun(workspace, open, { userId: admin!.id }),
      ids['ownerUpload'],
    );
    ids['sharedOutput'] = await newOutput(
      await newRun(workspace, shared, { userId: admin!.id }),
      ids['ownerUpload'],
    );
    ids['guestOutput'] = await newOutput(
      await newRun(workspace, shared, { userId: guest!.id }),
      ids['ownerUpload'],
    );
    await newEnvironment(workspace, 'staging');
    ids['stagingUpload'] = await upload(workspace.owner.token, 'a.txt', 'staging');
  });

  const production = [
    'ownerUpload',
    'memberUpload',
    'guestUpload',
    'openOutput',
    'sharedOutput',
    'guestOutput',
  ];
  const everything = [...production, 'stagingUpload'];

  it.each([
    ['the owner', async () => workspace.owner.token, everything],
    ['an admin', async () => admin!.token, everything],
    ['an API key', () => workspace.apiKey(), everything],
    ['an API key bound to production', () => workspace.apiKey('production'), production],
    ['an API key bound to staging', () => workspace.apiKey('staging'), ['stagingUpload']],
    [
      'a member of the team',
      async () => member!.token,
      ['memberUpload', 'openOutput', 'sharedOutput', 'guestOutput'],
    ],
    ['another member', async () => outsider!.token, ['openOutput']],
    ['a guest of the team', async () => guest!.token, ['guestUpload', 'guestOutput']],
    [
      "the member's agent",
      () => member!.agent(),
      ['memberUpload', 'openOutput', 'sharedOutput', 'guestOutput'],
    ],
  ])('%s', async (_, credential, visible) => {
    const token = await credential();
    const seen = visible.map((name) => ids[name]);
    expect((await listed(token)).sort()).toEqual([...seen].sort());
    for (const id of Object.values(ids)) {
      const status = seen.includes(id) ? 200 : 404;
      expect((await as(token).get(`/v1/files/${id}`)).status).toBe(status);
      expect((await as(token).get(`/v1/files/${id}/content`)).status).toBe(status);
      if (status === 404) expect((await as(token).delete(`/v1/files/${id}`)).status).toBe(404);
    }
  });

  it('nobody of another workspace', async () => {
    const other = await newWorkspace();
    const api = client({ token: other.owner.token, workspace: other.slug });
    expect((await api.get(`/v1/files/${ids['ownerUpload']}`)).status).toBe(404);
    expect((await api.delete(`/v1/files/${ids['ownerUpload']}`)).status).toBe(404);
  });
});

describe('GET /v1/files/{id}', () => {
  it('returns a file', async () => {
    const id = await upload(workspace.owner.token, 'b.txt');
    const { status, body } = await as(workspace.owner.token).get(`/v1/files/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, name: 'b.txt', direction: 'in', runId: null, size: 5 });
    expect(body).not.toHaveProperty('script');
  });

  it('knows no other ids, and nothing that has expired', async () => {
    const api = as(workspace.owner.token);
    const id = await upload(workspace.owner.token);
    await expire(id);
    for (const unknown of [id, 'fil_01h455vb4pex5vsknk084sn02q', 'x']) {
      const { status, body } = await api.get(`/v1/files/${unknown}`);
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    }
  });
});

describe('DELETE /v1/files/{id}', () => {
  it('deletes once', async () => {
    const id = await upload(workspace.owner.token, 'c.txt');
    const api = as(workspace.owner.token);
    const gone = await api.delete(`/v1/files/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await api.get(`/v1/files/${id}`)).status).toBe(404);
    expect((await api.delete(`/v1/files/${id}`)).status).toBe(404);
    const { rows } = await database().query(
      `SELECT details FROM audit_events WHERE target_id = $1 AND action = 'file.deleted'`,
      [id],
    );
    expect(rows).toEqual([{ details: { name: 'c.txt' } }]);
  });

  const refusesFor = async (id: string, run: string): Promise<void> => {
    const { status, body } = await as(workspace.owner.token).delete(`/v1/files/${id}`);
    expect([status, body.error.code]).toEqual([409, 'conflict']);
    expect(body.error.message).toContain(run);
  };

  it.each(['held', 'starting', 'executing'])('refuses while a %s run uses it', async (phase) => {
    const run = await newRun(workspace, await newScript(workspace), {}, phase);
    const id = await upload(workspace.owner.token);
    await giveToRun(id, run);
    await refusesFor(id, run);
    await database().query(`UPDATE runs SET phase = 'finished', status = 'cancelled' WHERE id = $1`, [run]);
    expect((await as(workspace.owner.token).delete(`/v1/files/${id}`)).status).toBe(204);
  });

  it('refuses while a queued run uses it', async () => {
    const run = await newRun(workspace, await newScript(workspace), {}, 'held');
    const id = await upload(workspace.owner.token);
    await giveToRun(id, run);
    const holder = await database().connect();
    try {
      // Locked as soon as it is queued, so that no worker takes it.
      await holder.query(`BEGIN; UPDATE runs SET phase = 'queued' WHERE id = '${run}'; COMMIT AND CHAIN;
        SELECT FROM runs WHERE id = '${run}' FOR UPDATE`);
      await refusesFor(id, run);
      await holder.query(
        `UPDATE runs SET phase = 'finished', status = 'cancelled' WHERE id = '${run}'; COMMIT`,
      );
    } finally {
      holder.release();
    }
    expect((await as(workspace.owner.token).delete(`/v1/files/${id}`)).status).toBe(204);
  });

  it('keeps the bytes for the other records that share them', async () => {
    const id = await upload(workspace.owner.token);
    const output = await newOutput(await newRun(workspace, await newScript(workspace)), id);
    const api = as(workspace.owner.token);
    expect((await api.delete(`/v1/files/${id}`)).status).toBe(204);
    expect((await api.get(`/v1/files/${output}/content`)).text).toBe('hello');
  });

  it('needs the scope, and responds to a retry like the first request', async () => {
    const id = await upload(workspace.owner.token);
    const reader = await workspace.owner.tokenWith({ scopes: ['files:read'] });
    expect((await as(reader).delete(`/v1/files/${id}`)).status).toBe(403);
    const headers = { 'idempotency-key': `delete-${id}` };
    const api = as(workspace.owner.token);
    expect((await api.delete(`/v1/files/${id}`, headers)).status).toBe(204);
    const again = await api.delete(`/v1/files/${id}`, headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([204, 'true']);
  });
});
