import { describe, expect, it } from 'vitest';

import type { Answer, TestWorkspace } from '../../libs/testing/index.js';
import { SCOPES } from '../../src/core/access/index.js';
import { approve, ask, byAgent, read } from '../support/approvals.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { eventsOf, inApp, INVITATIONS, membership, MEMBERS, newMember } from '../support/people.js';

let count = 0;
const newAddress = (): string => `by-app-${process.pid}-${++count}@example.com`;

/** An app that the owner has connected, with every scope. */
const appOf = async (workspace: TestWorkspace) => byAgent(workspace, workspace.owner);

async function disconnectApps(workspace: TestWorkspace): Promise<void> {
  const account = client({ cookie: workspace.owner.cookie });
  const { items } = (await account.get('/v1/account/apps')).body;
  for (const { id } of items) expect((await account.delete(`/v1/account/apps/${id}`)).status).toBe(204);
}

/** What an app has asked for and its owner has approved, with the link that only they get to see. */
async function invitedByApp(workspace: TestWorkspace, email: string) {
  const app = await appOf(workspace);
  const { id } = await ask(app, 'member.invite', { email, role: 'admin' });
  const { body } = await approve(inApp(workspace.owner, workspace), id);
  expect(body.status).toBe('completed');
  return { app, request: id as string, link: body.result.link as string };
}

const offer = (link: string): Promise<Answer> => client().get(`/v1/invitations/${link.split('/').at(-1)}`);

describe('an app with workspace.members:write', () => {
  it('makes nobody anything by itself, and is told whom to ask', async () => {
    const workspace = await newWorkspace();
    const owner = inApp(workspace.owner, workspace);
    const { person, id } = await newMember(workspace, 'member');
    const invitation = (await owner.post(INVITATIONS, { email: newAddress() })).body;
    const app = await appOf(workspace);
    const tries: [string, () => Promise<Answer>, string][] = [
      ['an invitation', () => app.post(INVITATIONS, { email: newAddress(), role: 'owner' }), 'member.invite'],
      ['a role', () => app.patch(`${MEMBERS}/${id}`, { role: 'owner' }), 'member.role.change'],
      ['a removal', () => app.delete(`${MEMBERS}/${id}`), 'member.remove'],
      ['an invitation that is open', () => app.delete(`${INVITATIONS}/${invitation.id}`), 'of the app'],
    ];
    for (const [what, attempt, instead] of tries) {
      const { status, body } = await attempt();
      expect([what, status, body.error?.code]).toEqual([what, 403, 'forbidden']);
      expect(body.error.message, what).toContain(instead);
    }
    expect((await membership(workspace, person)).role).toBe('member');
    expect((await owner.get(INVITATIONS)).body.items.map((item: { id: string }) => item.id)).toEqual([
      invitation.id,
    ]);
  });

  it('is no further than an API key, which is told what to use', async () => {
    const workspace = await newWorkspace();
    const { id } = await newMember(workspace, 'guest');
    for (const key of [await workspace.apiKey(), await workspace.apiKey('production')]) {
      const answer = await client({ token: key }).patch(`${MEMBERS}/${id}`, { role: 'member' });
      expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
      expect(answer.body.error.message).toContain('personal access token');
    }
  });

  it('never gets to see the link of what it asked for', async () => {
    const workspace = await newWorkspace();
    const { app, request, link } = await invitedByApp(workspace, newAddress());
    const secret = link.split('/').at(-1)!;
    const seen = [
      await read(app, request),
      (await app.get(`${INVITATIONS}`)).body,
      (await app.get('/v1/workspace/audit-events')).body,
      await eventsOf(workspace, 'workspace.invitation.created'),
    ];
    for (const part of seen) expect(JSON.stringify(part)).not.toContain(secret);
  });
});

describe('a token of an owner from which a scope was held back', () => {
  it('makes nobody owner or admin, who would have that scope', async () => {
    const workspace = await newWorkspace();
    const { person, id } = await newMember(workspace, 'member');
    const scopes = ['workspace.members:write', 'workspace:read'];
    const allButOne = SCOPES.filter((scope) => scope !== 'workspace.secrets:write');
    const tokens = [
      (await workspace.owner.tokenWith({ scopes: allButOne })) as string,
      (await workspace.owner.tokenWith({ scopes })) as string,
    ];
    for (const token of tokens) {
      const api = client({ token, workspace: workspace.slug });
      for (const role of ['owner', 'admin']) {
        const tries: [Answer, string][] = [
          [await api.post(INVITATIONS, { email: newAddress(), role }), 'member.invite'],
          [await api.patch(`${MEMBERS}/${id}`, { role }), 'member.role.change'],
        ];
        for (const [{ status, body }, instead] of tries) {
          expect([status, body.error?.code]).toEqual([403, 'forbidden']);
          expect(body.error.message).toContain(`makes nobody ${role}`);
          expect(body.error.message).toContain(instead);
        }
      }
      expect((await api.patch(`${MEMBERS}/${id}`, { role: 'guest' })).status).toBe(200);
      expect((await api.patch(`${MEMBERS}/${id}`, { role: 'member' })).status).toBe(200);
      expect((await api.post(INVITATIONS, { email: newAddress() })).status).toBe(201);
    }
    expect((await membership(workspace, person)).role).toBe('member');
  });
});

describe('an app that is disconnected', () => {
  it('takes the open invitations that it asked for with it', async () => {
    const workspace = await newWorkspace();
    const owner = inApp(workspace.owner, workspace);
    const email = newAddress();
    const { link } = await invitedByApp(workspace, email);
    const own = (await owner.post(INVITATIONS, { email: newAddress() })).body;
    expect((await offer(link)).status).toBe(200);
    await disconnectApps(workspace);
    expect((await offer(link)).status).toBe(400);
    const token = link.split('/').at(-1);
    const account = { name: 'Somebody', password: 'a long enough password' };
    expect((await client().post(`/v1/invitations/${token}/accept`, account)).status).toBe(400);
    const { items } = (await owner.get(INVITATIONS)).body;
    expect(items.map((item: { id: string }) => item.id)).toEqual([own.id]);
    // It stands in nobody's way.
    const again = await owner.post(INVITATIONS, { email });
    expect([again.status, (await offer(again.body.link as string)).status]).toEqual([201, 200]);
  });

  it('has asked for nothing any more: what waits for a yes cannot be approved', async () => {
    const workspace = await newWorkspace();
    const { person, id } = await newMember(workspace, 'member');
    const app = await appOf(workspace);
    const request = await ask(app, 'member.role.change', { memberId: id, role: 'owner' });
    await disconnectApps(workspace);
    const { body } = await approve(inApp(workspace.owner, workspace), request.id);
    expect(body).toMatchObject({ status: 'failed', result: { error: expect.stringContaining('app') } });
    expect((await membership(workspace, person)).role).toBe('member');
  });
});
