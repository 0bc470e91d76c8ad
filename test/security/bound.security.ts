import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client, TestWorkspace } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { signInCommandLine } from '../support/oauth.js';
import { membership } from '../support/people.js';
import { archiveOf, python } from '../support/scripts.js';
import { connectApp } from './support/matrix/agent-grants.js';
import { snapshotOf } from './support/matrix/snapshot.js';

let workspace: TestWorkspace;
let slug: string;
let member: string;
/** Each is an owner's or an admin's, with every scope, and bound to `staging`. */
let bound: Record<string, Client>;

beforeAll(async () => {
  workspace = await newWorkspace();
  const { owner } = workspace;
  const api = client({ token: owner.token, workspace: workspace.slug });
  await api.post('/v1/workspace/environments', { name: 'staging' });
  ({ slug } = await python(api, 'print(1)', { tags: ['kept'] }));
  member = (await membership(workspace, await workspace.person('member'))).id;
  const consent = { workspace: workspace.slug, environment: 'staging' };
  bound = {
    key: client({ token: await workspace.apiKey('staging') }),
    app: client({ token: await connectApp({ person: owner, ...consent }) }),
    'command line': client({
      token: (await signInCommandLine(owner, consent)).access_token,
      workspace: workspace.slug,
    }),
  };
});

const ATTACKS: Record<string, (api: Client) => Promise<Answer>> = {
  "change a script's own fields": (api) => api.patch(`/v1/scripts/${slug}`, { name: 'Mine' }),
  "tighten a script's policy for everybody": (api) =>
    api.patch(`/v1/scripts/${slug}`, { approvalPolicy: 'always' }),
  "replace a script's tags along with a version": async (api) =>
    api.post(`/v1/scripts/${slug}/versions`, {
      archive: await archiveOf({ 'main.py': 'print(2)' }),
      tags: ['mine'],
    }),
  'invite somebody': (api) => api.post('/v1/workspace/invitations', { email: 'friend@example.com' }),
  'raise a member': (api) => api.patch(`/v1/workspace/members/${member}`, { role: 'owner' }),
  'remove a member': (api) => api.delete(`/v1/workspace/members/${member}`),
  'read what was done in other environments': (api) => api.get('/v1/workspace/audit-events'),
};

describe('a credential that is bound to an environment cannot', () => {
  it.each(Object.entries(ATTACKS))('%s', async (_, attack) => {
    const before = await snapshotOf(workspace);
    for (const [name, api] of Object.entries(bound)) {
      const { status, body } = await attack(api);
      expect.soft([name, status, body?.error?.code]).toEqual([name, 403, 'forbidden']);
    }
    expect(await snapshotOf(workspace)).toEqual(before);
  });

  it('learn by asking for a key which other environments there are', async () => {
    const ask = (environment: string) =>
      bound['command line']!.post('/v1/workspace/approval-requests', {
        action: 'api_key.create',
        input: { name: 'a key', environment },
        reason: 'To see.',
      });
    const [there, absent] = [await ask('production'), await ask('nowhere')];
    expect([there.status, there.body.error.details]).toEqual([absent.status, absent.body.error.details]);
    expect(absent.status).toBe(400);
  });
});

it('a bound credential still adds a version that nobody uses yet', async () => {
  const archive = await archiveOf({ 'main.py': 'print(3)' });
  const made = await bound['key']!.post(`/v1/scripts/${slug}/versions`, { archive, tags: ['kept'] });
  expect(made.status, made.text).toBe(201);
});
