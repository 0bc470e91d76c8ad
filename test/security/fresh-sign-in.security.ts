import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestPerson, TestWorkspace } from '../../libs/testing/index.js';
import { approve, ask, byToken, redeem } from '../support/approvals.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { inApp, INVITATIONS, membership, MEMBERS, newMember } from '../support/people.js';

const HOOK = 'https://hooks.example.invalid/';
let count = 0;
const newAddress = (): string => `fresh-${process.pid}-${++count}@example.com`;

/** As if the password had been given more than an hour ago. */
async function letGrowOld({ id }: TestPerson): Promise<void> {
  const old = `UPDATE sessions SET confirmed_at = now() - interval '61 minutes' WHERE user_id = $1`;
  await database().query(old, [id]);
}

describe('somebody who finds a browser open', () => {
  let workspace: TestWorkspace;
  let person: TestPerson;
  let memberId: string;
  let owner: Client;
  let asker: Client;

  beforeAll(async () => {
    workspace = await newWorkspace();
    ({ person, id: memberId } = await newMember(workspace, 'member'));
    owner = inApp(workspace.owner, workspace);
    asker = byToken(workspace, person);
  });

  const requests: Record<string, () => Promise<Json>> = {
    'an invitation': () => ask(asker, 'member.invite', { email: newAddress() }),
    'a role': () => ask(asker, 'member.role.change', { memberId, role: 'admin' }),
    'an API key': () => ask(asker, 'api_key.create', { name: 'New' }),
    'an endpoint': () => ask(asker, 'webhook_endpoint.create', { url: `${HOOK}${++count}` }),
  };

  it.each(Object.entries(requests))('approves nobody’s request for %s', async (_, request) => {
    const { id } = await request();
    await letGrowOld(workspace.owner);
    const refused = await approve(owner, id);
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'confirmation_required']);
    const waiting = await owner.get(`/v1/workspace/approval-requests/${id}`);
    expect(waiting.body.status).toBe('pending');
    await owner.post('/v1/auth/confirm', { password: workspace.owner.password });
    expect(['approved', 'completed']).toContain((await approve(owner, id)).body.status);
  });

  it('invites nobody and raises nobody', async () => {
    await letGrowOld(workspace.owner);
    const tries: [string, () => Promise<Answer>][] = [
      ['invite', () => owner.post(INVITATIONS, { email: newAddress(), role: 'owner' })],
      ['raise', () => owner.patch(`${MEMBERS}/${memberId}`, { role: 'owner' })],
    ];
    for (const [what, attempt] of tries) {
      const { status, body } = await attempt();
      expect([what, status, body.error?.code]).toEqual([what, 403, 'confirmation_required']);
    }
    expect((await membership(workspace, person)).role).not.toBe('owner');
    await owner.post('/v1/auth/confirm', { password: workspace.owner.password });
    for (const [what, attempt] of tries) expect((await attempt()).status, what).toBeLessThan(300);
  });

  it('sends nothing to another receiver', async () => {
    await owner.post('/v1/auth/confirm', { password: workspace.owner.password });
    const endpoint = await owner.post('/v1/workspace/webhook-endpoints', { url: `${HOOK}${++count}` });
    const rule = {
      name: 'Failures',
      on: ['failed'],
      destination: { channel: 'webhook', url: `${HOOK}alerts` },
    };
    const alert = await owner.post('/v1/alerts', rule);
    expect([endpoint.status, alert.status], alert.text).toEqual([201, 201]);
    const path = `/v1/workspace/webhook-endpoints/${endpoint.body.endpoint.id}`;
    await letGrowOld(workspace.owner);
    for (const [where, patch] of [
      [path, { url: 'https://elsewhere.example.invalid/' }],
      [
        `/v1/alerts/${alert.body.id}`,
        { destination: { channel: 'webhook', url: 'https://elsewhere.example.invalid/' } },
      ],
    ] as const) {
      const refused = await owner.patch(where, patch);
      expect([refused.status, refused.body.error?.code]).toEqual([403, 'confirmation_required']);
      expect((await owner.get(where)).text).not.toContain('elsewhere');
    }
    expect((await owner.patch(path, { description: 'The same receiver' })).status).toBe(200);
  });

  it('accepts no role for whoever is signed in there', async () => {
    const elsewhere = await newWorkspace();
    const made = await inApp(elsewhere.owner, elsewhere).post(INVITATIONS, { email: person.email });
    const path = `/v1/invitations/${(made.body.link as string).split('/').at(-1)}/accept`;
    await letGrowOld(person);
    const app = client({ cookie: person.cookie });
    const refused = await app.post(path);
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'confirmation_required']);
    await app.post('/v1/auth/confirm', { password: person.password });
    expect((await app.post(path)).status).toBe(200);
  });

  it('goes on with what gives nobody anything that outlives the session', async () => {
    const { id } = await ask(asker, 'team.create', { name: `Team ${++count}` });
    await letGrowOld(workspace.owner);
    expect((await approve(owner, id)).body.status).toBe('completed');
    const other = await newMember(workspace, 'guest');
    expect((await owner.delete(`${MEMBERS}/${other.id}`)).status).toBe(204);
  });
});

it('lets a secret be fetched within an hour of the yes that it was given', async () => {
  const workspace = await newWorkspace();
  const asker = byToken(workspace, await workspace.person('member'));
  const { id } = await ask(asker, 'api_key.create', { name: 'Late' });
  const { body } = await approve(inApp(workspace.owner, workspace), id);
  expect(body.status).toBe('approved');
  const left = Date.parse(body.expiresAt as string) - Date.parse(body.decidedAt as string);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(3_600_000);
  await database().query('UPDATE approval_requests SET expires_at = now() WHERE id = $1', [id]);
  expect((await redeem(asker, id)).status).toBe(400);
});

it('is asked of every route that hands out a credential or a role', async () => {
  const { body } = await client().get('/v1/openapi.json');
  const marked = Object.entries(body.paths as Record<string, Record<string, Json>>).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation['x-needs-confirmation'] === true)
      .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
  );
  expect(marked.sort()).toEqual([
    'DELETE /v1/account/second-factors/authenticator',
    'DELETE /v1/account/second-factors/passkeys/{}',
    'PATCH /v1/workspace/members/{}',
    'PATCH /v1/workspace/sign-in-settings',
    'POST /v1/account/app-requests/{}/approve',
    'POST /v1/account/device-requests/approve',
    'POST /v1/account/second-factors/authenticator',
    'POST /v1/account/second-factors/authenticator/confirm',
    'POST /v1/account/second-factors/passkeys',
    'POST /v1/account/second-factors/passkeys/options',
    'POST /v1/account/second-factors/recovery-codes',
    'POST /v1/account/tokens',
    'POST /v1/alerts',
    'POST /v1/hooks/{}/rotate',
    'POST /v1/scripts/{}/hooks',
    'POST /v1/workspace/api-keys',
    'POST /v1/workspace/invitations',
    'POST /v1/workspace/webhook-endpoints',
    'POST /v1/workspace/webhook-endpoints/{}/rotate-secret',
  ]);
});
