import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import type { Answer, Client, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { archiveOf, newSlug } from '../support/scripts.js';

const SECRETS = '/v1/workspace/secrets';
const ENVIRONMENTS = '/v1/workspace/environments';
const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const input = (fields: object = {}) => ({
  value: `sk_${randomBytes(9).toString('hex')}`,
  hosts: ['api.stripe.com'],
  ...fields,
});
const KEYS = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG' };
const paths = (answer: Answer): string[] =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
const names = (answer: Answer): string[] => answer.body.items.map(({ name }: { name: string }) => name);
const places = (answer: Answer): string[] =>
  answer.body.values.map(({ environment }: { environment: string }) => environment);
const byOwner = ({ owner, slug }: TestWorkspace, environment?: string): Client =>
  client({ token: owner.token, workspace: slug, ...(environment !== undefined && { environment }) });

async function withStaging(): Promise<{ workspace: TestWorkspace; api: Client; staging: Client }> {
  const workspace = await newWorkspace();
  const api = byOwner(workspace);
  expect((await api.post(ENVIRONMENTS, { name: 'staging' })).status).toBe(201);
  return { workspace, api, staging: byOwner(workspace, 'staging') };
}

describe('PUT /v1/workspace/secrets/{name}', () => {
  it('makes a secret with a value in the acting environment, and never shows the value', async () => {
    const workspace = await newWorkspace();
    const body = input({ hosts: ['API.Stripe.com:443', 'api.stripe.com', '*.bücher.de:8443'] });
    const made = await byOwner(workspace).put(`${SECRETS}/STRIPE_KEY`, body);
    expect(made.status, made.text).toBe(200);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^sec_/),
      name: 'STRIPE_KEY',
      kind: 'text',
      allowEnv: false,
      createdByUserId: workspace.owner.id,
      createdAt: TIMESTAMP,
      updatedAt: TIMESTAMP,
      values: [
        {
          environment: 'production',
          hosts: ['api.stripe.com', '*.xn--bcher-kva.de:8443'],
          createdByUserId: workspace.owner.id,
          updatedAt: TIMESTAMP,
          lastUsedAt: null,
        },
      ],
    });
    const [read, list] = [
      await byOwner(workspace).get(`${SECRETS}/STRIPE_KEY`),
      await byOwner(workspace).get(SECRETS),
    ];
    expect(read.body).toEqual(made.body);
    expect(list.body).toEqual({ items: [made.body], nextCursor: null });
    for (const { text } of [made, read, list]) expect(text).not.toContain(body.value);
  });

  it('replaces value and hosts, and leaves what is not given', async () => {
    const { workspace, api, staging } = await withStaging();
    const first = await api.put(`${SECRETS}/KEY`, input({ hosts: ['*.b.com'], allowEnv: true }));
    await staging.put(`${SECRETS}/KEY`, input({ hosts: ['test.stripe.com'] }));
    const member = await workspace.person('member');
    const changed = await client({ token: member.token, workspace: workspace.slug }).put(
      `${SECRETS}/KEY`,
      input({ hosts: ['api.b.com'] }),
    );
    expect(changed.body).toMatchObject({
      allowEnv: true,
      createdByUserId: workspace.owner.id,
      createdAt: first.body.createdAt,
      values: [
        { environment: 'production', hosts: ['api.b.com'], createdByUserId: member.id },
        { environment: 'staging', hosts: ['test.stripe.com'], createdByUserId: workspace.owner.id },
      ],
    });
    expect(changed.body.updatedAt > first.body.updatedAt).toBe(true);
  });

  it('warns of a value that is too short to be masked', async () => {
    const api = byOwner(await newWorkspace());
    expect((await api.put(`${SECRETS}/A`, input({ value: '12345' }))).body.warning).toMatch(/not masked/);
    expect((await api.put(`${SECRETS}/A`, input({ value: '123456' }))).body).not.toHaveProperty('warning');
    expect((await api.get(`${SECRETS}/A`)).body).not.toHaveProperty('warning');
  });

  it.each([
    [{ hosts: [] }, ['value']],
    [{ value: 'abcdef' }, ['hosts']],
    [input({ value: '' }), ['value']],
    [input({ value: null }), ['value']],
    [input({ value: 123456 }), ['value']],
    [input({ value: 'a\0b' }), ['value']],
    [input({ value: 'a'.repeat(65_537) }), ['value']],
    [input({ hosts: 'a.com' }), ['hosts']],
    [input({ hosts: null }), ['hosts']],
    [input({ hosts: [] }), ['hosts']],
    [input({ hosts: [], allowEnv: false }), ['hosts']],
    [
      input({ hosts: ['a.com', 1, 'https://a.com', '10.0.0.1', '[::1]'] }),
      ['hosts.1', 'hosts.2', 'hosts.3', 'hosts.4'],
    ],
    [
      input({ hosts: ['a.com.', 'a.com:0', '*', 'a_b.com', 'pаypal.com'] }),
      [0, 1, 2, 3, 4].map((at) => `hosts.${at}`),
    ],
    [input({ hosts: Array.from({ length: 51 }, (_, index) => `h${index}.com`) }), ['hosts']],
    [input({ allowEnv: null }), ['allowEnv']],
    [input({ allowEnv: 'yes' }), ['allowEnv']],
    [input({ name: 'A' }), ['name']],
    [input({ kind: 'json' }), ['kind']],
    [input({ kind: null }), ['kind']],
    [input({ kind: 'aws' }), ['value']],
    [input({ kind: 'aws', value: JSON.stringify({ ...KEYS, region: 'eu-west-1' }) }), ['value']],
    [input({ kind: 'aws', value: JSON.stringify(KEYS), hosts: [], allowEnv: true }), ['allowEnv']],
    [input({ kind: 'aws', value: JSON.stringify(KEYS), hosts: [] }), ['hosts']],
  ])('refuses %j at %j', async (body, at) => {
    const workspace = await newWorkspace();
    const answer = await byOwner(workspace).put(`${SECRETS}/A`, body);
    expect([answer.status, paths(answer)]).toEqual([400, at]);
    expect((await byOwner(workspace).get(SECRETS)).body.items).toEqual([]);
  });

  it('keeps the kind that a secret was made with, and says nothing of the keys', async () => {
    const { workspace, api, staging } = await withStaging();
    const aws = { kind: 'aws', value: JSON.stringify(KEYS) };
    const made = await api.put(`${SECRETS}/KEYS`, input(aws));
    expect([made.status, made.body.kind]).toEqual([200, 'aws']);
    const { rows } = await database().query(
      `SELECT details FROM audit_events WHERE action = 'secret.updated' AND details->>'name' = 'KEYS' AND workspace_id = $1`,
      [workspace.id],
    );
    expect(rows).toEqual([{ details: expect.objectContaining({ kind: 'aws' }) }]);
    const later = await staging.put(`${SECRETS}/KEYS`, input({ value: aws.value }));
    expect([later.status, later.body.kind]).toEqual([200, 'aws']);
    const wrong = await staging.put(`${SECRETS}/KEYS`, input({ value: 'AKIA' }));
    const changed = await api.put(`${SECRETS}/KEYS`, input({ kind: 'text' }));
    const read = await api.put(`${SECRETS}/KEYS`, input({ ...aws, allowEnv: true }));
    expect([wrong, changed, read].map((answer) => [answer.status, ...paths(answer)])).toEqual([
      [400, 'value'],
      [400, 'kind'],
      [400, 'allowEnv'],
    ]);
    await api.put(`${SECRETS}/TEXT`, input());
    expect(paths(await api.put(`${SECRETS}/TEXT`, input(aws)))).toEqual(['kind']);
    const list = await api.get(SECRETS);
    expect(list.body.items.map(({ kind }: { kind: string }) => kind)).toEqual(['text', 'aws']);
    for (const { text } of [made, later, wrong, changed, read, list])
      for (const key of Object.values(KEYS)) expect(text).not.toContain(key);
  });

  it.each([
    '1A',
    'A-B',
    'A.B',
    'A'.repeat(65),
    'PATH',
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'PYTHONPATH',
    'MY_CA_X',
    'SSL_X',
    'GATEHOUSE_X',
    '%C3%A9',
  ])('refuses the name %s', async (name) => {
    const answer = await byOwner(await newWorkspace()).put(`${SECRETS}/${name}`, input());
    expect([answer.status, paths(answer)]).toEqual([400, ['name']]);
  });

  it('takes a value of 64 KiB, of any text, and no hosts where scripts may read it', async () => {
    const api = byOwner(await newWorkspace());
    expect((await api.put(`${SECRETS}/A`, input({ value: 'é'.repeat(32_768) }))).status).toBe(200);
    expect((await api.put(`${SECRETS}/B`, { value: ' \n"\\😀 ', hosts: [], allowEnv: true })).status).toBe(
      200,
    );
    expect((await api.put(`${SECRETS}/B`, { value: 'no longer', hosts: [] })).status).toBe(200);
    const closed = await api.put(`${SECRETS}/B`, { value: 'no longer', hosts: [], allowEnv: false });
    expect([closed.status, paths(closed)]).toEqual([400, ['hosts']]);
    expect((await api.get(`${SECRETS}/B`)).body.allowEnv).toBe(true);
  });

  it('says of a wrong host nothing of the value', async () => {
    const body = input({ hosts: ['*'] });
    expect((await byOwner(await newWorkspace()).put(`${SECRETS}/A`, body)).text).not.toContain(body.value);
  });

  it('makes one secret of many requests at once', async () => {
    const workspace = await newWorkspace();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => byOwner(workspace).put(`${SECRETS}/A`, input())),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(names(await byOwner(workspace).get(SECRETS))).toEqual(['A']);
  });

  it('is carried out once for one Idempotency-Key', async () => {
    const workspace = await newWorkspace();
    const body = input();
    const headers = { 'idempotency-key': 'once' };
    const first = await byOwner(workspace).put(`${SECRETS}/A`, body, headers);
    await byOwner(workspace).delete(`${SECRETS}/A`);
    const again = await byOwner(workspace).put(`${SECRETS}/A`, body, headers);
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect((await byOwner(workspace).get(`${SECRETS}/A`)).status).toBe(404);
  });
});

describe('allowEnv', () => {
  it('is opened by an owner or an admin in person, and closed by whoever sets a value', async () => {
    const workspace = await newWorkspace();
    const as = async (role: 'admin' | 'member') =>
      client({ token: (await workspace.person(role)).token, workspace: workspace.slug });
    const [creator, other, admin] = [await as('member'), await as('member'), await as('admin')];
    await creator.put(`${SECRETS}/A`, input());
    const key = client({ token: await workspace.apiKey() });
    for (const opener of [creator, other, key]) {
      const refused = await opener.put(`${SECRETS}/A`, input({ allowEnv: true }));
      expect([refused.status, refused.body.error.message]).toEqual([
        403,
        expect.stringContaining('takes an owner or admin in person'),
      ]);
    }
    expect((await creator.get(`${SECRETS}/A`)).body).toMatchObject({
      allowEnv: false,
      values: [{ hosts: ['api.stripe.com'] }],
    });
    for (const opener of [admin, byOwner(workspace)]) {
      expect((await opener.put(`${SECRETS}/A`, input({ allowEnv: true }))).body.allowEnv).toBe(true);
      expect((await other.put(`${SECRETS}/A`, input({ allowEnv: true }))).body.allowEnv).toBe(true);
      expect((await other.put(`${SECRETS}/A`, input())).body.allowEnv).toBe(true);
      expect((await other.put(`${SECRETS}/A`, input({ allowEnv: false }))).body.allowEnv).toBe(false);
    }
  });
});

describe('who may', () => {
  it.each([
    ['owner', 200],
    ['admin', 200],
    ['member', 200],
    ['guest', 403],
  ] as const)('%s: %s', async (role, status) => {
    const workspace = await newWorkspace();
    const person = role === 'owner' ? workspace.owner : await workspace.person(role);
    for (const credential of [
      { token: person.token },
      { cookie: person.cookie },
      { token: await person.agent() },
    ]) {
      const api = client({ ...credential, workspace: workspace.slug });
      expect((await api.put(`${SECRETS}/A`, input())).status).toBe(status);
      expect((await api.get(SECRETS)).status).toBe(status);
      expect((await api.get(`${SECRETS}/A`)).status).toBe(status);
      expect((await api.delete(`${SECRETS}/A`)).status).toBe(status === 200 ? 204 : status);
    }
  });

  it('takes the scope of the family, and write is not read', async () => {
    const { owner, slug } = await newWorkspace();
    const api = async (...scopes: string[]) =>
      client({ token: await owner.tokenWith({ scopes }), workspace: slug });
    const [reader, writer] = [await api('workspace.secrets:read'), await api('workspace.secrets:write')];
    const other = await api('workspace:read', 'workspace:write', 'scripts:write');
    expect((await writer.put(`${SECRETS}/A`, input())).status).toBe(200);
    expect((await writer.get(SECRETS)).status).toBe(403);
    expect((await writer.get(`${SECRETS}/A`)).status).toBe(403);
    expect((await reader.get(`${SECRETS}/A`)).status).toBe(200);
    expect((await reader.put(`${SECRETS}/A`, input())).status).toBe(403);
    expect((await reader.delete(`${SECRETS}/A`)).status).toBe(403);
    expect((await other.get(SECRETS)).status).toBe(403);
    expect((await other.put(`${SECRETS}/A`, {})).status).toBe(403);
    expect((await client().get(SECRETS)).status).toBe(401);
  });

  it('keeps workspaces apart', async () => {
    const [one, other] = [await newWorkspace(), await newWorkspace()];
    await byOwner(one).put(`${SECRETS}/A`, input());
    expect((await byOwner(other).get(`${SECRETS}/A`)).status).toBe(404);
    expect((await byOwner(other).delete(`${SECRETS}/A?allEnvironments=true`)).status).toBe(404);
    expect((await byOwner(other).get(SECRETS)).body.items).toEqual([]);
  });
});

describe('an API key that is bound to an environment', () => {
  it('sees the secrets that have a value there, and only that value', async () => {
    const { workspace, api, staging } = await withStaging();
    await api.put(`${SECRETS}/BOTH`, input());
    await staging.put(`${SECRETS}/BOTH`, input({ hosts: ['test.com'] }));
    await api.put(`${SECRETS}/ELSEWHERE`, input());
    const bound = client({ token: await workspace.apiKey('staging') });
    expect(names(await bound.get(SECRETS))).toEqual(['BOTH']);
    expect((await bound.get(`${SECRETS}/BOTH`)).body.values).toEqual([
      expect.objectContaining({ environment: 'staging', hosts: ['test.com'] }),
    ]);
    expect((await bound.get(`${SECRETS}/ELSEWHERE`)).status).toBe(404);
    expect((await bound.delete(`${SECRETS}/ELSEWHERE`)).status).toBe(404);
    expect((await bound.get(SECRETS, { 'x-environment': 'production' })).status).toBe(403);
  });

  it('sets and deletes values there, and changes nothing that environments share', async () => {
    const { workspace, api } = await withStaging();
    await api.put(`${SECRETS}/OPEN`, input({ allowEnv: true }));
    await api.put(`${SECRETS}/CLOSED`, input());
    const bound = client({ token: await workspace.apiKey('staging') });
    const set = await bound.put(`${SECRETS}/OPEN`, input());
    expect([set.status, set.body.allowEnv, places(set)]).toEqual([200, true, ['staging']]);
    expect((await bound.put(`${SECRETS}/OPEN`, input({ allowEnv: true }))).status).toBe(200);
    expect((await bound.put(`${SECRETS}/OPEN`, input({ allowEnv: false }))).status).toBe(403);
    expect((await bound.put(`${SECRETS}/CLOSED`, input({ allowEnv: true }))).status).toBe(403);
    // Of a new one too: a value that production gets later would be open at once.
    expect((await bound.put(`${SECRETS}/NEW`, input({ allowEnv: true }))).status).toBe(403);
    expect((await bound.put(`${SECRETS}/NEW`, input())).body).toMatchObject({ createdByUserId: null });
    expect((await bound.delete(`${SECRETS}/OPEN?allEnvironments=true`)).status).toBe(403);
    expect((await bound.delete(`${SECRETS}/OPEN`)).status).toBe(204);
    expect(places(await api.get(`${SECRETS}/OPEN`))).toEqual(['production']);
    expect((await api.get(`${SECRETS}/CLOSED`)).body).toMatchObject({ allowEnv: false, values: [{}] });
  });
});

describe('DELETE /v1/workspace/secrets/{name}', () => {
  it('removes the value of the acting environment, and the secret with its last one', async () => {
    const { api, staging } = await withStaging();
    await api.put(`${SECRETS}/A`, input());
    await staging.put(`${SECRETS}/A`, input());
    expect((await api.delete(`${SECRETS}/A`)).status).toBe(204);
    expect(places(await api.get(`${SECRETS}/A`))).toEqual(['staging']);
    const again = await api.delete(`${SECRETS}/A`);
    expect([again.status, again.body.error.message]).toEqual([
      404,
      expect.stringMatching(/A has no value in production/),
    ]);
    expect((await staging.delete(`${SECRETS}/A?allEnvironments=false`)).status).toBe(204);
    expect((await api.get(`${SECRETS}/A`)).status).toBe(404);
    expect((await api.delete(`${SECRETS}/A`)).status).toBe(404);
  });

  it('removes all values where it is told to', async () => {
    const { workspace, api, staging } = await withStaging();
    await api.put(`${SECRETS}/A`, input());
    await staging.put(`${SECRETS}/A`, input());
    expect((await byOwner(workspace, 'staging').delete(`${SECRETS}/A?allEnvironments=true`)).status).toBe(
      204,
    );
    expect((await api.get(SECRETS)).body.items).toEqual([]);
  });

  it.each([
    '?allEnvironments=yes',
    '?allEnvironments=',
    '?allEnvironments=true&allEnvironments=true',
    '?all=true',
  ])('refuses %s', async (query) => {
    const api = byOwner(await newWorkspace());
    await api.put(`${SECRETS}/A`, input());
    expect((await api.delete(`${SECRETS}/A${query}`)).status).toBe(400);
    expect((await api.get(`${SECRETS}/A`)).status).toBe(200);
  });
});

describe('GET /v1/workspace/secrets', () => {
  it('is a list in pages, newest first', async () => {
    const workspace = await newWorkspace();
    const api = byOwner(workspace);
    for (const name of ['A', 'B', 'C']) await api.put(`${SECRETS}/${name}`, input());
    const first = await api.get(`${SECRETS}?limit=2`);
    expect(names(first)).toEqual(['C', 'B']);
    const second = await api.get(`${SECRETS}?limit=2&cursor=${first.body.nextCursor}`);
    expect([names(second), second.body.nextCursor]).toEqual([['A'], null]);
    const bound = client({ token: await workspace.apiKey('production') });
    expect((await bound.get(`${SECRETS}?cursor=${first.body.nextCursor}`)).status).toBe(400);
    expect((await api.get(`${SECRETS}?limit=0`)).status).toBe(400);
    expect((await api.get(`${SECRETS}?name=A`)).status).toBe(400);
  });

  it('returns 404 for what there is not, whatever its name', async () => {
    const api = byOwner(await newWorkspace());
    for (const name of ['NONE', 'a-b', 'constructor', '%20']) {
      expect((await api.get(`${SECRETS}/${name}`)).status).toBe(404);
      expect((await api.delete(`${SECRETS}/${name}`)).status).toBe(404);
    }
  });
});

describe('what is told of it', () => {
  it('is an event for each environment and an audit entry for each change, without the value', async () => {
    const { workspace, api, staging } = await withStaging();
    const body = input({ allowEnv: true });
    await api.put(`${SECRETS}/A`, body);
    await staging.put(`${SECRETS}/A`, body);
    await api.put(`${SECRETS}/A`, { ...body, value: '' });
    await api.delete(`${SECRETS}/A?allEnvironments=true`);
    const { rows: events } = await database().query<{ data: unknown; environmentId: string }>(
      `SELECT data, environment_id AS "environmentId" FROM events WHERE workspace_id = $1 AND type = 'secret.updated' ORDER BY id`,
      [workspace.id],
    );
    const [production, elsewhere] = ['production', 'staging'].map((environment) => ({
      name: 'A',
      environment,
    }));
    expect(events.map(({ data }) => data).slice(0, 2)).toEqual([production, elsewhere]);
    expect(events.map(({ data }) => data).slice(2)).toEqual(expect.arrayContaining([production, elsewhere]));
    expect(events).toHaveLength(4);
    expect(events[0]!.environmentId).toBe(workspace.environmentId);
    const { rows: entries } = await database().query<{ action: string; details: unknown; target: string }>(
      `SELECT action, details, target_type AS target FROM audit_events WHERE workspace_id = $1 AND action LIKE 'secret.%' ORDER BY id`,
      [workspace.id],
    );
    expect(entries).toEqual([
      {
        action: 'secret.updated',
        target: 'secret',
        details: { name: 'A', environments: ['production'], hosts: ['api.stripe.com'], allowEnv: true },
      },
      {
        action: 'secret.updated',
        target: 'secret',
        details: { name: 'A', environments: ['staging'], hosts: ['api.stripe.com'] },
      },
      {
        action: 'secret.deleted',
        target: 'secret',
        details: { name: 'A', environments: expect.arrayContaining(['production', 'staging']) as string[] },
      },
    ]);
    expect(JSON.stringify([events, entries])).not.toContain(body.value);
  });
});

describe('deleting an environment', () => {
  it('takes its secret values with it, and secrets that have none left', async () => {
    const { api, staging } = await withStaging();
    await api.put(`${SECRETS}/BOTH`, input());
    await staging.put(`${SECRETS}/BOTH`, input());
    await staging.put(`${SECRETS}/HERE`, input());
    expect((await api.get(`${ENVIRONMENTS}/staging`)).body.usage.secretValues).toBe(2);
    expect((await api.delete(`${ENVIRONMENTS}/staging`)).status).toBe(204);
    expect(names(await api.get(SECRETS))).toEqual(['BOTH']);
    expect(places(await api.get(`${SECRETS}/BOTH`))).toEqual(['production']);
    await api.post(ENVIRONMENTS, { name: 'staging' });
    expect((await api.get(`${ENVIRONMENTS}/staging`)).body.usage.secretValues).toBe(0);
    expect((await staging.put(`${SECRETS}/HERE`, input())).status).toBe(200);
  });

  it('leaves no value behind while others are being set', async () => {
    const { api, staging } = await withStaging();
    await staging.put(`${SECRETS}/A`, input());
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => staging.put(`${SECRETS}/A`, input())),
      api.delete(`${ENVIRONMENTS}/staging`),
      ...Array.from({ length: 5 }, () => api.put(`${SECRETS}/A`, input())),
      ...Array.from({ length: 5 }, () => staging.put(`${SECRETS}/A`, input())),
    ]);
    for (const { status } of answers) expect([200, 204, 400]).toContain(status);
    expect(places(await api.get(`${SECRETS}/A`))).toEqual(['production']);
  });
});

describe('a version that uses secrets', () => {
  const hosts = ['api.stripe.com', '*.example.com'];
  const use = { header: 'Authorization', hosts, value: 'Bearer {secret}' };

  async function makeVersion(api: Client, fields: object): Promise<Answer> {
    const slug = newSlug();
    await api.post('/v1/scripts', { slug, name: slug });
    const archive = await archiveOf({ 'main.py': 'pass' });
    return api.post(`/v1/scripts/${slug}/versions`, { archive, hosts, ...fields });
  }

  it('is made where each value allows one of the hosts, or where there is no value yet', async () => {
    const { api, staging } = await withStaging();
    expect((await makeVersion(api, { secrets: { KEY: use }, env: ['OTHER'] })).status).toBe(201);
    await api.put(`${SECRETS}/KEY`, input({ hosts: ['api.stripe.com', 'else.com'] }));
    await staging.put(`${SECRETS}/KEY`, input({ hosts: ['a.b.example.com'] }));
    await api.put(`${SECRETS}/OTHER`, input({ allowEnv: true }));
    const made = await makeVersion(api, { secrets: { KEY: use }, env: ['OTHER'] });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({ secrets: { KEY: use }, env: ['OTHER'] });
  });

  it('is refused where a value allows none of them, naming secret and environment', async () => {
    const { workspace, api, staging } = await withStaging();
    await api.put(`${SECRETS}/KEY`, input());
    await staging.put(`${SECRETS}/KEY`, input({ hosts: ['api.stripe.com:8443', 'example.com'] }));
    const refused = await makeVersion(api, { secrets: { KEY: use } });
    expect([refused.status, paths(refused)]).toEqual([400, ['secrets.KEY']]);
    expect(refused.body.error.message).toMatch(/KEY may go to none of these hosts in staging/);
    const bound = client({ token: await workspace.apiKey('production') });
    const hidden = await makeVersion(bound, { secrets: { KEY: use } });
    expect(hidden.status).toBe(400);
    expect(hidden.text).not.toMatch(/staging|8443/);
  });

  it('is refused where it reads a secret that may only be attached', async () => {
    const api = byOwner(await newWorkspace());
    await api.put(`${SECRETS}/KEY`, input());
    const refused = await makeVersion(api, { env: ['UNKNOWN', 'UNKNOWN', 'KEY'] });
    expect([refused.status, paths(refused)]).toEqual([400, ['env.2']]);
    expect(refused.body.error.message).toMatch(/KEY may not be read as an environment variable/);
  });
});
