import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Answer,
  type GatehouseProcess,
  Seed,
  type TestWorkspace,
  createClient,
} from '../../libs/testing/index.js';
import { client, database, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { inApp, membership, MEMBERS, newMember } from '../support/people.js';
import { newSlug } from '../support/scripts.js';

let gatehouse: GatehouseProcess & { databaseUrl: string };
let pool: pg.Pool;
let workspace: TestWorkspace;

beforeAll(async () => {
  gatehouse = await startGatehouse({
    env: { GATEHOUSE_RATE_LIMIT: '60', GATEHOUSE_RATE_BURST: '20', GATEHOUSE_SIGNUP: 'open' },
  });
  pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 2 });
  workspace = await new Seed(gatehouse.baseUrl, pool).workspace();
});

afterAll(async () => {
  await pool?.end();
  await gatehouse?.stop();
});

function get(token: string): Promise<Answer> {
  return createClient({ baseUrl: gatehouse.baseUrl, token, workspace: workspace.slug }).get('/v1/workspace');
}

const isRefused = ({ status }: Answer): boolean => status === 429;

/** One after the other, and further ones until one is refused: some are given back all the while. */
async function countAllowed(request: (index: number) => Promise<Answer>, most: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let index = 0; index < most || !answers.some(isRefused); index++) answers.push(await request(index));
  return answers;
}

describe('a person with more credentials than one', () => {
  it('has three times as many requests as with one, however many tokens, sessions and apps there are', async () => {
    const { cookie, tokenWith, agent } = await workspace.person('owner');
    const tokens = await Promise.all(Array.from({ length: 6 }, () => tokenWith({})));
    const app = createClient({ baseUrl: gatehouse.baseUrl, cookie, workspace: workspace.slug });
    const asks = [
      ...tokens.map((token) => () => get(token)),
      () => app.get('/v1/workspace'),
      async () => get(await connected),
    ];
    const connected = agent();
    const begun = performance.now();
    const answers = await countAllowed((at) => asks[at % asks.length]!(), 96);
    const seconds = (performance.now() - begun) / 1000;
    const allowed = answers.filter(({ status }) => status === 200);
    expect(allowed.length).toBeGreaterThanOrEqual(45);
    expect(allowed.length).toBeLessThanOrEqual(60 + Math.ceil(seconds * 3));

    const refused = answers.filter(isRefused);
    expect(refused[0]!.body.error.message).toBe(
      'Too many requests of this person, by all their sessions, tokens and apps together.',
    );
    expect(refused[0]!.headers.get('retry-after')).toBe('1');
    expect(refused[0]!.headers.get('ratelimit-policy')).toBe('"person";q=180;w=60');
    expect(refused[0]!.headers.get('ratelimit')).toMatch(/^"person";r=0;t=/);
    // Somebody else goes on.
    expect((await get((await workspace.person('owner')).token)).status).toBe(200);
  });
});

describe('a workspace with more API keys than one', () => {
  it('has three times as many requests as with one, and takes none from people in it', async () => {
    const other = await new Seed(gatehouse.baseUrl, pool).workspace();
    const keys = await Promise.all(Array.from({ length: 5 }, () => other.apiKey()));
    const ask = (token: string): Promise<Answer> =>
      createClient({ baseUrl: gatehouse.baseUrl, token }).get('/v1/workspace');
    const begun = performance.now();
    const answers = await countAllowed((at) => ask(keys[at % keys.length]!), 90);
    const seconds = (performance.now() - begun) / 1000;
    const allowed = answers.filter(({ status }) => status === 200);
    expect(allowed.length).toBeGreaterThanOrEqual(60);
    expect(allowed.length).toBeLessThanOrEqual(60 + Math.ceil(seconds * 3));
    const refused = answers.find(isRefused)!;
    expect(refused.headers.get('ratelimit-policy')).toBe('"workspace";q=180;w=60');
    expect(refused.body.error.message).toContain('API keys of this workspace');
    const { token } = await other.person('member');
    const api = createClient({ baseUrl: gatehouse.baseUrl, token, workspace: other.slug });
    expect((await api.get('/v1/workspace')).status).toBe(200);
  });
});

describe('a person with more workspaces than others', () => {
  it('owns ten of them, also of fifty that are asked for at once', async () => {
    const { owner } = await newWorkspace();
    const app = client({ cookie: owner.cookie });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => app.post('/v1/workspaces', { name: 'A', slug: newSlug() })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(9);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(
      refused.map(() => [403, 'quota_exceeded']),
    );
    expect(refused[0]!.body.error.message).toBe(
      'A person may own 10 workspaces here, and you cannot own another one. GATEHOUSE_WORKSPACES_PER_PERSON says how many, which the operator sets.',
    );
    const { workspaces } = (await app.get('/v1/auth/session')).body;
    expect(workspaces).toHaveLength(10);
    // One that is deleted makes room.
    const [{ slug }] = workspaces;
    expect((await client({ cookie: owner.cookie, workspace: slug }).delete('/v1/workspace')).status).toBe(
      204,
    );
    expect((await app.post('/v1/workspaces', { name: 'A', slug: newSlug() })).status).toBe(201);
  });

  it('cannot have them count for a colleague who never said yes', async () => {
    const workspace = await newWorkspace();
    const { person: colleague, id: memberId } = await newMember(workspace, 'member');
    const giving = inApp(workspace.owner, workspace);
    const own = async () => (await membership(workspace, workspace.owner)).id as string;
    const countsFor = async () => {
      const { rows } = await database().query<{ id: string }>(
        'SELECT owner_user_id AS id FROM workspaces WHERE id = $1',
        [workspace.id],
      );
      return rows[0]!.id;
    };
    expect((await giving.patch(`${MEMBERS}/${memberId}`, { role: 'owner' })).status).toBe(200);
    expect((await giving.patch(`${MEMBERS}/${await own()}`, { role: 'member' })).status).toBe(200);
    expect(await countsFor()).toBe(workspace.owner.id);
    expect((await giving.delete(`${MEMBERS}/${await own()}`)).status).toBe(204);
    expect(await countsFor()).toBe(workspace.owner.id);
    // No token of theirs says so, nor an app: they do, in person.
    const token = client({ token: colleague.token, workspace: workspace.slug });
    expect((await token.patch(`${MEMBERS}/${memberId}`, { role: 'owner' })).status).toBe(200);
    expect(await countsFor()).toBe(workspace.owner.id);
    const theirs = inApp(colleague, workspace);
    expect((await theirs.patch(`${MEMBERS}/${memberId}`, { role: 'owner' })).status).toBe(200);
    expect(await countsFor()).toBe(colleague.id);
  });

  it('are not left with the load of those who sent them away', async () => {
    const workspace = await newWorkspace();
    const { person: second, id } = await newMember(workspace, 'member');
    const first = await membership(workspace, workspace.owner);
    const owner = inApp(workspace.owner, workspace);
    expect((await owner.patch(`${MEMBERS}/${id}`, { role: 'owner' })).status).toBe(200);
    expect((await inApp(second, workspace).delete(`${MEMBERS}/${first.id}`)).status).toBe(204);
    const { rows } = await database().query('SELECT owner_user_id AS id FROM workspaces WHERE id = $1', [
      workspace.id,
    ]);
    expect(rows[0]!.id).toBe(second.id);
  });

  it('owns no more by an invitation or a higher role', async () => {
    const [full, giving] = [await newWorkspace(), await newWorkspace()];
    const app = client({ cookie: full.owner.cookie });
    for (let made = 1; made < 10; made++) await app.post('/v1/workspaces', { name: 'A', slug: newSlug() });
    const api = client({ cookie: giving.owner.cookie, workspace: giving.slug });
    const invited = { email: full.owner.email, role: 'owner' };
    const { link } = (await api.post('/v1/workspace/invitations', invited)).body;
    const token = (link as string).split('/').at(-1)!;
    const accepted = await app.post(`/v1/invitations/${token}/accept`, {});
    expect([accepted.status, accepted.body.error.code]).toEqual([403, 'quota_exceeded']);

    await database().query(
      `INSERT INTO memberships (id, workspace_id, user_id, role) VALUES ('mem_' || substr($1, 5), $1, $2, 'member')`,
      [giving.id, full.owner.id],
    );
    const members = (await api.get('/v1/workspace/members')).body.items as { id: string; userId: string }[];
    const member = members.find(({ userId }) => userId === full.owner.id)!;
    const raised = await api.patch(`/v1/workspace/members/${member.id}`, { role: 'owner' });
    expect([raised.status, raised.body.error.code]).toEqual([403, 'quota_exceeded']);
    expect((await api.patch(`/v1/workspace/members/${member.id}`, { role: 'admin' })).status).toBe(200);
  });
});
