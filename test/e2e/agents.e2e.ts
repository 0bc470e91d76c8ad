import { describe, expect, it } from 'vitest';

import type { Answer, Client, Json } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { auditOf, byToken, eventsOf, inApp, newTeam } from '../support/people.js';
import { newSlug } from '../support/scripts.js';

const AGENTS = '/v1/agents';
const problems = (answer: Answer): unknown =>
  answer.body.error.details.map(({ path, message }: Json) => `${path} ${message}`);

async function draft(api: Client): Promise<string> {
  const slug = newSlug();
  expect((await api.post('/v1/scripts', { slug, name: slug })).status).toBe(201);
  return slug;
}

describe('An agent', () => {
  it('is made, listed, changed and deleted, each with an audit entry and an event', async () => {
    const workspace = await newWorkspace();
    const { owner } = workspace;
    const api = inApp(owner, workspace);
    const script = await draft(api);
    const made = await api.post(AGENTS, { slug: 'support', name: 'Support', scripts: [script] });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^agt_[0-9a-z]{26}$/),
        slug: 'support',
        name: 'Support',
        instructions: '',
        model: null,
        scripts: [script],
        enabled: true,
        approvalPolicy: 'none',
        budget: null,
        createdByUserId: owner.id,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    const other = await api.post(AGENTS, {
      slug: 'other',
      name: 'Other',
      model: 'm-2',
      instructions: 'Be\nbrief.',
    });
    const first = await api.get(`${AGENTS}?limit=1`);
    const second = await api.get(`${AGENTS}?limit=1&cursor=${first.body.nextCursor}`);
    expect([first.body.items, second.body]).toEqual([[other.body], { items: [made.body], nextCursor: null }]);
    const patch = { name: 'Help', instructions: 'Be kind.', model: 'm-1', scripts: [], enabled: false };
    const changed = await api.patch(`${AGENTS}/support`, patch);
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...made.body, ...patch, updatedAt: expect.any(String) },
    ]);
    expect((await api.patch(`${AGENTS}/support`, patch)).body).toEqual(changed.body);
    expect((await api.patch(`${AGENTS}/support`, { model: null })).body.model).toBeNull();
    expect((await api.get(`${AGENTS}/support`)).body.name).toBe('Help');
    expect((await api.delete(`${AGENTS}/support`)).status).toBe(204);
    expect((await api.get(`${AGENTS}/support`)).status).toBe(404);
    expect((await api.delete(`${AGENTS}/support`)).status).toBe(404);

    const { id } = made.body;
    const by = { userId: owner.id, credentialType: null, credentialName: null };
    const fields = ['name', 'instructions', 'model', 'scripts', 'enabled'];
    expect((await auditOf(workspace, id)).map(({ action, details }) => [action, details])).toEqual([
      ['agent.created', { slug: 'support', name: 'Support' }],
      ['agent.updated', { slug: 'support', name: 'Help', changed: fields }],
      ['agent.updated', { slug: 'support', name: 'Help', changed: ['model'] }],
      ['agent.deleted', { slug: 'support', name: 'Help' }],
    ]);
    expect((await eventsOf(workspace, 'agent.created'))[0]).toEqual({
      agent: { id, slug: 'support', name: 'Support' },
      changed: [],
      by,
    });
    expect((await eventsOf(workspace, 'agent.updated')).map(({ changed: told }) => told)).toEqual([
      fields,
      ['model'],
    ]);
    expect((await eventsOf(workspace, 'agent.deleted')).map(({ agent }) => agent)).toEqual([
      { id, slug: 'support', name: 'Help' },
    ]);
  });

  it('has a slug of its own in the workspace', async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const input = { slug: 'support', name: 'Support' };
    const answers = await Promise.all(
      [workspace, workspace, other].map((where) => inApp(where.owner, where).post(AGENTS, input)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
  });

  it.each([
    [{ name: 'A' }, 'slug must be a string'],
    [{ slug: 'A b', name: 'A' }, 'slug must be lower-case letters, digits and dashes'],
    [{ slug: 'a' }, 'name must be a string'],
    [{ slug: 'a', name: 'A', instructions: 'x'.repeat(20_001) }, 'instructions must be shorter'],
    [{ slug: 'a', name: 'A', instructions: 'a\u0000' }, ''],
    [{ slug: 'a', name: 'A', model: '' }, 'model must be longer'],
    [{ slug: 'a', name: 'A', scripts: 'x' }, 'scripts must be an array'],
    [
      { slug: 'a', name: 'A', scripts: ['nowhere', 5] },
      'scripts.0 is not the slug of a script of this workspace',
    ],
    [
      { slug: 'a', name: 'A', scripts: Array.from({ length: 51 }, String) },
      'scripts must contain no more than 50',
    ],
    [{ slug: 'a', name: 'A', enabled: 'yes' }, 'enabled must be a boolean'],
    [{ slug: 'a', name: 'A', id: 'agt_1' }, 'id is not a field of this request'],
  ])('is not made of %j', async (input, problem) => {
    const workspace = await newWorkspace();
    const answer = await inApp(workspace.owner, workspace).post(AGENTS, input);
    expect(answer.status, answer.text).toBe(400);
    if (problem) expect((problems(answer) as string[])[0]).toMatch(new RegExp(`^${problem}`));
    expect((await inApp(workspace.owner, workspace).get(AGENTS)).body.items).toEqual([]);
  });

  it('names no script twice', async () => {
    const workspace = await newWorkspace();
    const api = inApp(workspace.owner, workspace);
    const script = await draft(api);
    const answer = await api.post(AGENTS, { slug: 'a', name: 'A', scripts: [script, script] });
    expect([answer.status, problems(answer)]).toEqual([400, ['scripts.1 is named twice']]);
  });

  it('shows and takes a script only for those who see it', async () => {
    const workspace = await newWorkspace();
    const owner = inApp(workspace.owner, workspace);
    const [open, closed] = [await draft(owner), await draft(owner)];
    const { id } = await newTeam(workspace, 'Closed');
    expect((await owner.patch(`/v1/scripts/${closed}`, { access: 'teams', teamIds: [id] })).status).toBe(200);
    await owner.post(AGENTS, { slug: 'both', name: 'Both', scripts: [closed, open] });

    const member = byToken(await workspace.person('member'), workspace);
    expect((await member.get(`${AGENTS}/both`)).body.scripts).toEqual([open]);
    const refused = await member.post(AGENTS, { slug: 'mine', name: 'Mine', scripts: [open, closed] });
    const absent = await member.post(AGENTS, { slug: 'mine', name: 'Mine', scripts: [open, 'nowhere'] });
    expect([refused.status, problems(refused)]).toEqual([400, problems(absent)]);
    expect((await member.patch(`${AGENTS}/both`, { scripts: [] })).body.scripts).toEqual([]);
    expect((await owner.get(`${AGENTS}/both`)).body.scripts).toEqual([closed]);
  });

  it('is nothing to another workspace', async () => {
    const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    await inApp(workspace.owner, workspace).post(AGENTS, { slug: 'support', name: 'Support' });
    const stranger = client({ token: await other.apiKey() });
    expect((await stranger.get(AGENTS)).body.items).toEqual([]);
    expect((await stranger.get(`${AGENTS}/support`)).status).toBe(404);
    expect((await stranger.patch(`${AGENTS}/support`, { name: 'Mine' })).status).toBe(404);
    expect((await stranger.delete(`${AGENTS}/support`)).status).toBe(404);
  });
});
