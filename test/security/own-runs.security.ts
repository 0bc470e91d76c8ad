import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestPerson, TestWorkspace } from '../../libs/testing/index.js';
import { APPROVALS, approve, byAgent, byToken, deny, inApp } from '../support/approvals.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { type TestScript, newSlug, newVersion, python, run } from '../support/scripts.js';

/** Environments in which every run is held. */
const GUARDED = 'guarded';

let ws: TestWorkspace;
let member: TestPerson;
let script: TestScript;

beforeAll(async () => {
  ws = await newWorkspace();
  member = await ws.person('member');
  script = await python(byToken(ws, member), 'print(1)');
  const made = await byToken(ws, ws.owner).post('/v1/workspace/environments', {
    name: GUARDED,
    approvalPolicy: 'always',
  });
  expect(made.status, made.text).toBe(201);
});

const inGuarded = (person: TestPerson): Client =>
  client({ token: person.token, workspace: ws.slug, environment: GUARDED });

async function held(by: Client, of = script): Promise<string> {
  const { status, body, text } = await run(by, of);
  expect(status, text).toBe(202);
  return body.approval.id;
}

const listed = async (person: TestPerson): Promise<string[]> => {
  const { body } = await inApp(ws, person).get(`${APPROVALS}?status=pending&limit=100`);
  return body.items.map(({ id }: Json) => id);
};

const statusOf = async (id: string): Promise<string> => {
  const { rows } = await database().query('SELECT status FROM approval_requests WHERE id = $1', [id]);
  return rows[0].status;
};

describe("a run that the environment's policy holds", () => {
  it('is not approved by the member who asked for it, although the script is theirs', async () => {
    const id = await held(inGuarded(member));
    for (const decide of [approve, deny]) {
      const answer = await decide(inApp(ws, member), id);
      expect([answer.status, answer.body.error?.code]).toEqual([403, 'forbidden']);
    }
    expect(await statusOf(id)).toBe('pending');
    const admin = await ws.person('admin');
    expect((await approve(inApp(ws, admin), id)).body.status).toBe('completed');
  });

  it("is not approved by the script's owner either where a colleague asked, and not shown to them", async () => {
    const colleague = await ws.person('member');
    const id = await held(inGuarded(colleague));
    expect((await inApp(ws, member).get(`${APPROVALS}/${id}`)).status).toBe(404);
    expect(await listed(member)).not.toContain(id);
    expect(await listed(colleague)).toContain(id);
    expect(await listed(ws.owner)).toContain(id);
    expect((await approve(inApp(ws, member), id)).status).toBe(403);
  });

  it("is not the script's owner's to decide where the script's own policy holds it as well", async () => {
    const strict = await python(byToken(ws, member), 'print(1)');
    await byToken(ws, member).patch(`/v1/scripts/${strict.slug}`, { approvalPolicy: 'always' });
    const id = await held(inGuarded(member), strict);
    expect((await approve(inApp(ws, member), id)).status).toBe(403);
  });

  it('is so from the moment on that the environment demands it, also for what waits already', async () => {
    const strict = await python(byToken(ws, member), 'print(1)');
    await byToken(ws, member).patch(`/v1/scripts/${strict.slug}`, { approvalPolicy: 'always' });
    const owner = byToken(ws, ws.owner);
    await owner.post('/v1/workspace/environments', { name: 'later' });
    const there = client({ token: member.token, workspace: ws.slug, environment: 'later' });
    const id = await held(there, strict);
    await owner.patch('/v1/workspace/environments/later', { approvalPolicy: 'always' });
    expect((await approve(inApp(ws, member), id)).status).toBe(403);
  });

  it('is not approved by a member whose trigger or schedule is behind it', async () => {
    const made = await inGuarded(member).post(`/v1/scripts/${script.slug}/triggers`, {
      name: 'Mine',
      eventType: 'environment.updated',
    });
    expect(made.status, made.text).toBe(201);
    await byToken(ws, ws.owner).patch(`/v1/workspace/environments/${GUARDED}`, { agentsAllowed: false });
    const waiting = async (): Promise<string | undefined> => {
      const { rows } = await database().query(
        'SELECT approval_request_id AS id FROM runs WHERE trigger_id = $1',
        [made.body.id],
      );
      return rows[0]?.id;
    };
    await expect.poll(waiting).toEqual(expect.any(String));
    expect((await approve(inApp(ws, member), (await waiting())!)).status).toBe(403);
  });

  it('stays their own to decide where the script itself asks, or its rule for agents does', async () => {
    const own = await python(byToken(ws, member), 'print(1)');
    await byToken(ws, member).patch(`/v1/scripts/${own.slug}`, { approvalPolicy: 'always' });
    const asked = await held(byToken(ws, member), own);
    expect((await approve(inApp(ws, member), asked)).body.status).toBe('completed');
    await byToken(ws, ws.owner).patch(`/v1/scripts/${own.slug}`, { approvalPolicy: 'agents' });
    const byApp = await held(await byAgent(ws, member), own);
    expect((await approve(inApp(ws, member), byApp)).body.status).toBe('completed');
  });
});

describe('a test run of a version that nobody has approved for publishing', () => {
  async function newTestRun(by: Client, workspace = ws): Promise<string> {
    const slug = newSlug();
    await by.post('/v1/scripts', { slug, name: slug });
    await newVersion(by, slug, { 'main.py': 'print(1)' });
    const owner = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
    const settings = await owner.patch('/v1/workspace/script-settings', { publishNeedsSecondPerson: true });
    expect(settings.status, settings.text).toBe(200);
    const { status, body, text } = await by.post(`/v1/scripts/${slug}/versions/1/runs`, {});
    expect(status, text).toBe(202);
    return body.approval.id;
  }

  it('is not approved by the member who asked for it', async () => {
    const id = await newTestRun(byToken(ws, member));
    expect((await approve(inApp(ws, member), id)).status).toBe(403);
    expect((await deny(inApp(ws, member), id)).status).toBe(403);
    expect(await statusOf(id)).toBe('pending');
    expect((await approve(inApp(ws, ws.owner), id)).body.status).toBe('completed');
  });

  it('is not approved by the admin who asked for it while there is another, also by an API key of theirs', async () => {
    const admin = await ws.person('admin');
    const key = await inApp(ws, admin).post('/v1/workspace/api-keys', { name: 'mine' });
    for (const by of [byToken(ws, admin), client({ token: key.body.key })]) {
      const id = await newTestRun(by);
      const answer = await approve(inApp(ws, admin), id);
      expect([answer.status, answer.body.error?.code]).toEqual([403, 'forbidden']);
      expect((await approve(inApp(ws, ws.owner), id)).body.status).toBe('completed');
    }
  });

  it('is decided by the one who asked where nobody else could', async () => {
    const alone = await newWorkspace();
    await alone.person('member');
    const id = await newTestRun(byToken(alone, alone.owner), alone);
    expect((await inApp(alone, alone.owner).get(`${APPROVALS}/${id}`)).status).toBe(200);
    const admin = await alone.person('admin');
    expect((await approve(inApp(alone, alone.owner), id)).status).toBe(403);
    await database().query('DELETE FROM memberships WHERE user_id = $1', [admin.id]);
    expect((await approve(inApp(alone, alone.owner), id)).body.status).toBe('completed');
  });
});
