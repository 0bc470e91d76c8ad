import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { archiveOf, newSlug, newVersion } from '../support/scripts.js';

const AT_ONCE = 50;

let ws: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  ws = await newWorkspace();
  owner = client({ token: ws.owner.token, workspace: ws.slug });
});

/** A script whose first version is published, with so many more that are not. */
async function script(more: number): Promise<string> {
  const slug = newSlug();
  await owner.post('/v1/scripts', { slug, name: slug });
  for (let number = 1; number <= more + 1; number++)
    await newVersion(owner, slug, { 'main.py': `${number}` });
  await owner.post(`/v1/scripts/${slug}/publish`, { version: 1 });
  return `/v1/scripts/${slug}`;
}

function expectConflict({ status, body, text }: Answer, message: string): void {
  expect([status, body.error.code], text).toEqual([409, 'conflict']);
  expect(body.error.details).toEqual([{ path: 'expectedVersion', message }]);
}

describe('what somebody else changed meanwhile', () => {
  it('is not published over: 409 says which version is published, and nothing changes', async () => {
    const path = await script(2);
    expect((await owner.post(`${path}/publish`, { version: 2, expectedVersion: 1 })).status).toBe(200);
    const late = await owner.post(`${path}/publish`, { version: 3, expectedVersion: 1 });
    expectConflict(late, 'is 1, but version 2 is published');
    expect((await owner.get(path)).body.publishedVersion).toBe(2);
    await owner.post(`${path}/unpublish`);
    expectConflict(
      await owner.post(`${path}/publish`, { version: 3, expectedVersion: 2 }),
      'is 2, but no version is published',
    );
    expect((await owner.post(`${path}/publish`, { version: 3, expectedVersion: 0 })).status).toBe(200);
    expect((await owner.post(`${path}/publish`, { version: 1 })).status).toBe(200);
  });

  it('is not made a version over: 409 says which is the newest', async () => {
    const path = await script(0);
    const make = async (expectedVersion: number): Promise<Answer> =>
      owner.post(`${path}/versions`, {
        archive: await archiveOf({ 'main.py': 'pass' }),
        expectedVersion,
      });
    expect((await make(1)).body).toMatchObject({ number: 2 });
    expectConflict(await make(1), 'is 1, but version 2 is the newest');
    expectConflict(await make(0), 'is 0, but version 2 is the newest');
    expect((await owner.get(path)).body).toMatchObject({ lastVersion: 2, publishedVersion: 1 });
  });

  it('is not changed over: 409 says at which revision the script is', async () => {
    const path = await script(0);
    const { revision } = (await owner.get(path)).body;
    const first = await owner.patch(path, { description: 'mine', expectedVersion: revision });
    expect(first.body).toMatchObject({ description: 'mine', revision: revision + 1 });
    expectConflict(
      await owner.patch(path, { description: 'theirs', expectedVersion: revision }),
      `is ${revision}, but the script is at revision ${revision + 1}`,
    );
    expect((await owner.get(path)).body).toEqual(first.body);
    const same = await owner.patch(path, { description: 'mine', expectedVersion: revision + 1 });
    expect(same.body.revision).toBe(revision + 1);
    expect((await owner.post(`${path}/publish`, { version: 1 })).body.revision).toBe(revision + 1);
  });

  it('leaves exactly one of fifty at once that expect the same, for each of the three', async () => {
    const path = await script(1);
    const archive = await archiveOf({ 'main.py': 'pass' });
    const ways: Record<string, (n: number) => Promise<Answer>> = {
      publish: () => owner.post(`${path}/publish`, { version: 2, expectedVersion: 1 }),
      make: () => owner.post(`${path}/versions`, { archive, expectedVersion: 2 }),
      change: (n) => owner.patch(path, { description: `change ${n}`, expectedVersion: 1 }),
    };
    for (const [name, ask] of Object.entries(ways)) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => ask(n)));
      const refused = answers.filter(({ status }) => status === 409);
      const done = answers.filter(({ status }) => status === 200 || status === 201);
      expect([done.length, refused.length], name).toEqual([1, AT_ONCE - 1]);
    }
    expect((await owner.get(`${path}/versions`)).body.items).toHaveLength(3);
  });

  it('is judged again when the second person approves', async () => {
    const path = await script(2);
    const admin = await ws.person('admin');
    const session = client({ cookie: ws.owner.cookie, workspace: ws.slug });
    const settings = '/v1/workspace/script-settings';
    await session.patch(settings, { publishNeedsSecondPerson: true });
    const asked = await owner.post(`${path}/publish`, { version: 3, expectedVersion: 1 });
    expect(asked.status, asked.text).toBe(202);
    await session.patch(settings, { publishNeedsSecondPerson: false });
    expect((await owner.post(`${path}/publish`, { version: 2, expectedVersion: 1 })).status).toBe(200);
    const approver = client({ cookie: admin.cookie, workspace: ws.slug });
    const decided = await approver.post(
      `/v1/workspace/approval-requests/${(asked.body as Json).approval.id}/approve`,
    );
    expect(decided.body).toMatchObject({
      status: 'failed',
      result: { error: expect.stringContaining('version 2 is published') },
    });
    expect((await owner.get(path)).body.publishedVersion).toBe(2);
  });

  it('takes nothing but a whole number from 0 on as what is expected', async () => {
    const path = await script(0);
    const archive = await archiveOf({ 'main.py': 'pass' });
    for (const expectedVersion of [-1, 1.5, '1', null, 2 ** 31]) {
      for (const answer of [
        await owner.post(`${path}/publish`, { version: 1, expectedVersion }),
        await owner.post(`${path}/versions`, { archive, expectedVersion }),
        await owner.patch(path, { name: 'x', expectedVersion }),
      ]) {
        expect([answer.status, answer.body.error.details?.[0]?.path]).toEqual([400, 'expectedVersion']);
      }
    }
  });
});
