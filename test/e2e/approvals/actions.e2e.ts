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

  it('team.create', async () => {
    const result = await performed('team.create', { name: 'Ops' }, 'Make the team Ops.');
    expect((await owner.get(`/v1/workspace/teams/${result.id}`)).body).toEqual(result);
    const again = await ask(asker, 'team.create', { name: 'Ops' });
    const { body } = await approve(owner, again.id);
    expect([body.status, body.result.error]).toEqual(['failed', expect.stringContaining('Ops')]);
  });

  it('member.invite, whose link only the person who approves gets', async () => {
    const { id: team, name } = (await owner.post('/v1/workspace/teams', { name: 'Design' })).body;
    const email = `new-${ws.slug}@example.com`;
    const asked = await ask(asker, 'member.invite', { email: ` ${email.toUpperCase()} `, teamIds: [team] });
    expect(asked.summary).toBe(`Invite ${email} to become a member and of the team ${name}.`);
    const { body } = await approve(owner, asked.id);
    expect(body.result).toMatchObject({ email, role: null, teamIds: [team] });
    const link = body.result.link as string;
    expect((await client().get(`/v1/invitations/${link.split('/').at(-1)}`)).body).toMatchObject({ email });
    for (const api of [asker, owner]) {
      const seen = (await api.get(`${APPROVALS}/${asked.id}`)).body;
      expect(seen.result).toMatchObject({ email });
      expect(JSON.stringify(seen)).not.toContain(link.split('/').at(-1));
    }
    for (const [input, path] of [
      [{ email: 'nobody' }, 'input.email'],
      [{ email: 'a@example.com', role: 'boss' }, 'input.role'],
      [{ email: 'a@example.com', teamIds: ['tea_none'] }, 'input.teamIds.0'],
    ] as [Json, string][]) {
      const refused = await asker.post(APPROVALS, { action: 'member.invite', input, reason: 'x' });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path]);
    }
  });

  it('member.role.change and member.remove', async () => {
    const person = await ws.person('member');
    const memberId = await memberIdOf(person);
    const who = `Member Person (${person.email})`;
    await performed(
      'member.role.change',
      { memberId, role: 'admin' },
      `Change the role of ${who} from member to admin.`,
    );
    const stale = await ask(asker, 'member.role.change', { memberId, role: 'member' });
    await owner.patch(`/v1/workspace/members/${memberId}`, { role: 'guest' });
    const { body } = await approve(owner, stale.id);
    expect([body.status, body.result.error]).toEqual(['failed', expect.stringContaining('changed')]);
    const result = await performed('member.remove', { memberId }, `Remove ${who} from the workspace.`);
    expect(result).toEqual({ memberId, userId: person.id, email: person.email });
    const gone = { action: 'member.remove', input: { memberId }, reason: 'x' };
    expect((await asker.post(APPROVALS, gone)).body.error.details[0].path).toBe('input.memberId');
  });

  it('leaves owners to owners', async () => {
    const admin = await ws.person('admin');
    const person = await ws.person('member');
    const input = { memberId: await memberIdOf(person), role: 'owner' };
    const asked = await ask(asker, 'member.role.change', input);
    const { status } = await approve(inApp(ws, admin), asked.id);
    expect(status).toBe(403);
    expect((await inApp(ws, admin).get(`${APPROVALS}/${asked.id}`)).body.status).toBe('pending');
    expect((await approve(owner, asked.id)).body.status).toBe('completed');
    const invited = await ask(asker, 'member.invite', { email: 'boss@example.com', role: 'owner' });
    expect((await approve(inApp(ws, admin), invited.id)).status).toBe(403);
    const last = await newWorkspace();
    const own = await ask(byToken(last, last.owner), 'member.remove', {
      memberId: (await inApp(last, last.owner).get('/v1/workspace/members')).body.items[0].id,
    });
    const { body } = await approve(inApp(last, last.owner), own.id);
    expect([body.status, body.result.error]).toEqual(['failed', expect.stringContaining('last owner')]);
  });

  it('webhook_endpoint.create, which looks at the outside world with no transaction open, keys or not', async () => {
    const key = (step: string) => ({ 'idempotency-key': `${step}-${ws.slug}` });
    const wanted = {
      action: 'webhook_endpoint.create',
      input: { url: `https://hooks.${ws.slug}.example/in` },
      reason: 'x',
    };
    const filed = await asker.post(APPROVALS, wanted, key('file'));
    expect([filed.status, filed.body.secret?.envVar]).toEqual([201, 'GATEHOUSE_WEBHOOK_SECRET']);
    const { id } = filed.body;
    const approved = await owner.post(`${APPROVALS}/${id}/approve`, undefined, key('approve'));
    expect([approved.status, approved.body.status]).toEqual([200, 'approved']);
    const redeemed = await redeem(asker, id, key('redeem'));
    expect([redeemed.status, redeemed.body.secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    expect((await redeem(asker, id, key('redeem'))).body).toEqual(redeemed.body);
    const { body } = await owner.get('/v1/workspace/webhook-endpoints');
    expect(body.items).toMatchObject([{ url: wanted.input.url }]);
  });

  it.each(['webhook_endpoint.delete', 'webhook_endpoint.enable'])(
    '%s of what is not there',
    async (action) => {
      const input = { endpointId: 'whe_00000000000000000000000000' };
      const refused = await asker.post(APPROVALS, { action, input, reason: 'x' });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'input.endpointId']);
    },
  );

  it('webhook_endpoint.create looks at the address before it is filed', async () => {
    const input = { url: 'https://127.0.0.1/hook' };
    const refused = await asker.post(APPROVALS, { action: 'webhook_endpoint.create', input, reason: 'x' });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'input.url']);
  });
});

async function memberIdOf(person: TestPerson): Promise<string> {
  const { items } = (await owner.get('/v1/workspace/members?limit=100')).body;
  return items.find(({ userId }: Json) => userId === person.id).id;
}
