import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestPerson, TestWorkspace } from '../../../libs/testing/index.js';
import { client, newWorkspace } from '../../support/gatehouse.js';
import { newSlug, newVersion } from '../../support/scripts.js';
import { APPROVALS, approve, ask, byAgent, byToken, inApp, redeem } from '../../support/approvals.js';

const ENVIRONMENTS = '/v1/workspace/environments';

let ws: TestWorkspace;
let member: TestPerson;
let owner: Client;
let asker: Client;

beforeAll(async () => {
  ws = await newWorkspace();
  member = await ws.person('member');
  owner = inApp(ws, ws.owner);
  asker = byToken(ws, member);
});

/** Asks, checks the summary, approves, and gives back the result. */
async function performed(action: string, input: Record<string, unknown>, summary: string): Promise<Json> {
  const asked = await ask(asker, action, input);
  expect(asked.summary).toBe(summary);
  const { body } = await approve(owner, asked.id);
  expect([body.status, body.result?.error]).toEqual(['completed', undefined]);
  return body.result;
}

describe('each action does what its summary says', () => {
  it('workspace.rename', async () => {
    const result = await performed(
      'workspace.rename',
      { name: 'Beta' },
      'Rename the workspace Acme to Beta.',
    );
    expect(result).toEqual({ id: ws.id, name: 'Beta', slug: ws.slug });
    expect((await owner.get('/v1/workspace')).body.name).toBe('Beta');
  });

  it('environment.create, with what it is by default', async () => {
    await performed(
      'environment.create',
      { name: 'staging' },
      'Make the environment staging: runs need no approval, agents may run scripts there.',
    );
    expect((await owner.get(`${ENVIRONMENTS}/staging`)).body).toMatchObject({
      approvalPolicy: 'none',
      agentsAllowed: true,
      isDefault: false,
    });
    await performed(
      'environment.create',
      { name: 'strict', approvalPolicy: 'always', agentsAllowed: false },
      'Make the environment strict: every run needs approval, agents may not run scripts there.',
    );
    expect((await owner.get(`${ENVIRONMENTS}/strict`)).body).toMatchObject({
      approvalPolicy: 'always',
      agentsAllowed: false,
    });
  });

  it('environment.update, which may loosen the gate, as a person says yes', async () => {
    const input = { environment: 'strict', approvalPolicy: 'none', agentsAllowed: true };
    const agent = await byAgent(ws, ws.owner);
    expect((await agent.patch(`${ENVIRONMENTS}/strict`, { approvalPolicy: 'none' })).status).toBe(403);
    const asked = await ask(agent, 'environment.update', input);
    expect((await approve(owner, asked.id)).body.status).toBe('completed');
    await performed(
      'environment.update',
      { environment: 'strict', name: 'loose', approvalPolicy: 'agents' },
      'Change the environment strict: it is called loose, runs started by agents need approval.',
    );
    expect((await owner.get(`${ENVIRONMENTS}/loose`)).body).toMatchObject({
      approvalPolicy: 'agents',
      agentsAllowed: true,
    });
    await performed(
      'environment.update',
      { environment: 'loose', isDefault: true },
      'Change the environment loose: it is the default.',
    );
    expect((await owner.get(`${ENVIRONMENTS}/production`)).body.isDefault).toBe(false);
    for (const [wrong, path] of [
      [{ environment: 'loose' }, 'input'],
      [{ environment: 'loose', isDefault: false }, 'input.isDefault'],
      [{ environment: 'loose', name: 'no/slash' }, 'input.name'],
      [{ environment: 'loose', approvalPolicy: 'never' }, 'input.approvalPolicy'],
    ] as [Json, string][]) {
      const refused = await asker.post(APPROVALS, {
        action: 'environment.update',
        input: wrong,
        reason: 'x',
      });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path]);
    }
  });

  it('environment.delete', async () => {
    await performed(
      'environment.delete',
      { environment: 'production' },
      'Delete the environment production with all of its secret values.',
    );
    expect((await owner.get(`${ENVIRONMENTS}/production`)).status).toBe(404);
  });

  it('secret.delete, in the environment that it was asked for in', async () => {
    const inStaging = client({ cookie: ws.owner.cookie, workspace: ws.slug, environment: 'staging' });
    const secret = { value: 'long enough', hosts: ['a.example'] };
    for (const api of [owner, inStaging]) await api.put('/v1/workspace/secrets/STRIPE_KEY', secret);
    const fromStaging = client({ token: member.token, workspace: ws.slug, environment: 'staging' });
    const asked = await ask(fromStaging, 'secret.delete', { name: 'STRIPE_KEY' });
    expect(asked.summary).toBe('Delete the value of the secret STRIPE_KEY in the environment staging.');
    expect((await approve(owner, asked.id)).body.status).toBe('completed');
    const left = (await owner.get('/v1/workspace/secrets/STRIPE_KEY')).body.values;
    expect(left.map(({ environment }: Json) => environment)).toEqual(['loose']);
    const absent = { action: 'secret.delete', input: { name: 'STRIPE_KEY' }, reason: 'x' };
    expect((await fromStaging.post(APPROVALS, absent)).body.error.details[0].path).toBe('input.name');
    await performed(
      'secret.delete',
      { name: 'STRIPE_KEY', allEnvironments: true },
      'Delete the secret STRIPE_KEY with its values in all environments.',
    );
    expect((await owner.get('/v1/workspace/secrets/STRIPE_KEY')).status).toBe(404);
  });

  it('script.publish and script.archive', async () => {
    const slug = newSlug();
    await owner.post('/v1/scripts', { slug, name: 'Report' });
    await newVersion(owner, slug, { 'main.py': 'print(1)' });
    await performed(
      'script.publish',
      { slug, version: 1 },
      `Publish version 1 of the script Report (${slug}): runs use it from then on.`,
    );
    expect((await owner.get(`/v1/scripts/${slug}`)).body.publishedVersion).toBe(1);
    await performed(
      'script.archive',
      { slug },
      `Archive the script Report (${slug}): it no longer runs until it is restored.`,
    );
    expect((await owner.get(`/v1/scripts/${slug}`)).body.status).toBe('archived');
  });

  it('api_key.create', async () => {
    const asked = await ask(asker, 'api_key.create', { name: 'CI', environment: 'staging' });
    expect(asked.summary).toBe(
      'Make the API key CI, which acts as an admin in the environment staging only.',
    );
    await approve(owner, asked.id);
    const { body } = await redeem(asker, asked.id);
    const key = client({ token: body.secret });
    expect((await key.get(ENVIRONMENTS)).body.items.map(({ name }: Json) => name)).toEqual(['staging']);
    const everywhere = await ask(asker, 'api_key.create', { name: 'CI' });
    expect(everywhere.summary).toBe('Make the API key CI, which acts as an admin in every environment.');
  });
});
