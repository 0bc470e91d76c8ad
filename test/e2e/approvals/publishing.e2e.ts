import { beforeEach, describe, expect, it } from 'vitest';

import type { Client, Json, TestPerson, TestWorkspace } from '../../../libs/testing/index.js';
import { client, database, newWorkspace } from '../../support/gatehouse.js';
import { newSlug, newVersion } from '../../support/scripts.js';
import {
  APPROVALS,
  approve,
  ask,
  byAgent,
  byToken,
  deny,
  eventsOf,
  inApp,
  read,
  setRole,
} from '../../support/approvals.js';

let ws: TestWorkspace;
let admin: TestPerson;
let member: TestPerson;
let owner: Client;
let path: string;
let slug: string;

beforeEach(async () => {
  ws = await newWorkspace();
  [admin, member] = await Promise.all([ws.person('admin'), ws.person('member')]);
  owner = inApp(ws, ws.owner);
  slug = newSlug();
  path = `/v1/scripts/${slug}`;
  await owner.post('/v1/scripts', { slug, name: 'Report' });
  await newVersion(owner, slug, { 'main.py': 'print(1)' });
  await newVersion(owner, slug, { 'main.py': 'print(2)' });
  expect((await owner.post(`${path}/publish`, { version: 1 })).status).toBe(200);
  await secondPerson(true);
});

const secondPerson = async (needed: boolean): Promise<void> => {
  const { status } = await owner.patch('/v1/workspace/script-settings', { publishNeedsSecondPerson: needed });
  expect(status).toBe(200);
};

const publish = (api: Client, version = 2) => api.post(`${path}/publish`, { version });
const published = async (): Promise<number> => (await owner.get(path)).body.publishedVersion;

/** A publish that became a request. */
async function requested(api: Client): Promise<string> {
  const { status, body, text } = await publish(api);
  expect(status, text).toBe(202);
  expect(body).toEqual({
    approval: { id: expect.stringMatching(/^apr_/), approveUrl: expect.stringContaining(body.approval.id) },
  });
  return body.approval.id;
}

describe('publishing with a second person', () => {
  it('becomes a request that another owner or admin approves', async () => {
    const id = await requested(byToken(ws, member));
    expect(await read(byToken(ws, member), id)).toMatchObject({
      action: 'script.publish',
      summary: `Publish version 2 of the script Report (${slug}): runs use it from then on.`,
      input: { slug, version: 2 },
      status: 'pending',
      requestedBy: member.id,
      secret: null,
    });
    expect(await published()).toBe(1);
    expect((await owner.get(`${path}/versions/2`)).body.publishedAt).toBeNull();
    const { body } = await approve(inApp(ws, admin), id);
    expect([body.status, body.result]).toEqual(['completed', { slug, version: 2 }]);
    expect(await published()).toBe(2);
    expect((await owner.get(`${path}/versions/2`)).body.publishedAt).toMatch(/Z$/);
    const { rows } = await database().query(
      `SELECT data->'by'->>'userId' AS by FROM events WHERE workspace_id = $1 AND type = 'script.published' ORDER BY id`,
      [ws.id],
    );
    expect(rows.at(-1)).toEqual({ by: admin.id });
    expect(await eventsOf(id)).toHaveLength(2);
  });

  it('asks whoever publishes: a person in the app, a token, an agent, a key', async () => {
    for (const api of [
      owner,
      byToken(ws, admin),
      await byAgent(ws, ws.owner),
      client({ token: await ws.apiKey() }),
    ]) {
      const id = await requested(api);
      expect((await api.get(`${APPROVALS}/${id}`)).status).toBe(200);
      expect((await inApp(ws, admin).get(`${APPROVALS}/${id}`)).body.status).toBe('pending');
    }
    expect((await publish(client({ token: await ws.apiKey('production') }))).status).toBe(403);
  });

  it('is not for its asker to decide', async () => {
    for (const api of [inApp(ws, admin), byToken(ws, admin), await byAgent(ws, admin)]) {
      const id = await requested(api);
      for (const decide of [approve, deny]) {
        const { status, body } = await decide(inApp(ws, admin), id);
        expect([status, body.error.code]).toEqual([403, 'forbidden']);
      }
      expect((await owner.get(`${APPROVALS}/${id}`)).body.status).toBe('pending');
    }
    const id = await requested(inApp(ws, admin));
    expect((await approve(owner, id)).body.status).toBe('completed');
  });

  it('counts the person who made a key as the one who asks by it', async () => {
    const { body: key } = await inApp(ws, admin).post('/v1/workspace/api-keys', { name: 'k' });
    const id = await requested(client({ token: key.key }));
    expect((await inApp(ws, admin).get(`${APPROVALS}/${id}`)).body).toMatchObject({
      requestedBy: null,
      requestedWith: 'k',
    });
    expect((await approve(inApp(ws, admin), id)).status).toBe(403);
    expect((await approve(owner, id)).body.status).toBe('completed');
  });

  it('counts the person who redeemed a key as the one who asks by it', async () => {
    const asked = await ask(byToken(ws, admin), 'api_key.create', { name: 'k' });
    await approve(owner, asked.id);
    const { body } = await byToken(ws, admin).post(`${APPROVALS}/${asked.id}/redeem`);
    const id = await requested(client({ token: body.secret }));
    expect((await approve(inApp(ws, admin), id)).status).toBe(403);
    expect((await approve(owner, id)).body.status).toBe('completed');
  });

  it('fails where the key that asked was revoked', async () => {
    const { body: key } = await owner.post('/v1/workspace/api-keys', { name: 'k' });
    const id = await requested(client({ token: key.key }));
    await owner.delete(`/v1/workspace/api-keys/${key.id}`);
    const { body } = await approve(inApp(ws, admin), id);
    expect([body.status, body.result]).toEqual([
      'failed',
      { error: 'The API key that asked has been revoked or has ended.' },
    ]);
    expect(await published()).toBe(1);
  });

  it('is refused while nobody but the asker could approve', async () => {
    await setRole(ws, admin, 'member');
    const { body: key } = await owner.post('/v1/workspace/api-keys', { name: 'k' });
    for (const api of [owner, byToken(ws, ws.owner), client({ token: key.key })]) {
      const { status, body } = await publish(api);
      expect([status, body.error.code]).toEqual([409, 'conflict']);
    }
    const { rows } = await database().query('SELECT FROM approval_requests WHERE workspace_id = $1', [ws.id]);
    expect(rows).toHaveLength(0);
    const id = await requested(byToken(ws, admin));
    expect((await approve(owner, id)).body.status).toBe('completed');
  });

  it('is refused while whoever else could approve is disabled', async () => {
    await database().query('UPDATE users SET disabled_at = now() WHERE id = $1', [admin.id]);
    expect((await publish(owner)).status).toBe(409);
  });

  it('changes nothing where it is published already, and asks nobody', async () => {
    const { status, body } = await publish(byToken(ws, member), 1);
    expect([status, body.publishedVersion]).toEqual([200, 1]);
    expect((await publish(byToken(ws, member), 3)).status).toBe(404);
    await owner.delete(path);
    expect((await publish(byToken(ws, member))).status).toBe(409);
  });

  it('is the same where it is asked for as an action', async () => {
    const wanted = { action: 'script.publish', input: { slug, version: 2 }, reason: 'x' };
    const asked = await ask(byToken(ws, admin), 'script.publish', wanted.input);
    expect((await approve(inApp(ws, admin), asked.id)).status).toBe(403);
    expect((await approve(owner, asked.id)).body.status).toBe('completed');
    await setRole(ws, admin, 'guest');
    expect((await byToken(ws, ws.owner).post(APPROVALS, wanted)).status).toBe(409);
    for (const [input, at] of [
      [{ slug: 'absent', version: 1 }, 'input.slug'],
      [{ slug, version: 9 }, 'input.version'],
      [{ slug, version: 0 }, 'input.version'],
    ] as [Json, string][]) {
      const { status, body } = await byToken(ws, ws.owner).post(APPROVALS, { ...wanted, input });
      expect([status, body.error.details[0].path]).toEqual([400, at]);
    }
  });

  it('goes by the setting at the time of the decision', async () => {
    const wanted = { slug, version: 2 };
    await secondPerson(false);
    const own = await ask(byToken(ws, ws.owner), 'script.publish', wanted);
    await secondPerson(true);
    expect((await approve(owner, own.id)).status).toBe(403);
    await secondPerson(false);
    expect((await approve(owner, own.id)).body.status).toBe('completed');
    expect(await published()).toBe(2);
  });

  it('fails where the script was archived meanwhile', async () => {
    const id = await requested(byToken(ws, member));
    await owner.delete(path);
    const { body } = await approve(owner, id);
    expect([body.status, body.result.error]).toEqual(['failed', expect.stringContaining('archived')]);
    expect((await owner.get(path)).body.status).toBe('archived');
  });

  it('returns the same to a retry with the same key', async () => {
    const api = byToken(ws, member);
    const headers = { 'idempotency-key': `publish-${slug}` };
    const first = await api.post(`${path}/publish`, { version: 2 }, headers);
    const again = await api.post(`${path}/publish`, { version: 2 }, headers);
    expect([first.status, again.status, again.body]).toEqual([202, 202, first.body]);
  });

  it('is in the OpenAPI document with both responses', async () => {
    const { body } = await client().get('/v1/openapi.json');
    const { responses } = body.paths['/v1/scripts/{slug}/publish'].post;
    expect(responses['200'].content['application/json'].schema.$ref).toContain('ScriptDetail');
    expect(responses['202'].content['application/json'].schema.$ref).toContain('PublishRequested');
  });
});
