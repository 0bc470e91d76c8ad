import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestPerson, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { newSlug, newVersion } from '../support/scripts.js';

let ws: TestWorkspace;
let owner: Client;
let member: Client;
let memberPerson: TestPerson;

beforeAll(async () => {
  ws = await newWorkspace();
  memberPerson = await ws.person('member');
  owner = client({ token: ws.owner.token, workspace: ws.slug });
  member = client({ token: memberPerson.token, workspace: ws.slug });
});

/** A draft with two versions. */
async function script(api = owner): Promise<{ slug: string; id: string; path: string }> {
  const slug = newSlug();
  const { body } = await api.post('/v1/scripts', { slug, name: `Script ${slug}` });
  const schema = (title: string) => ({ inputSchema: { type: 'object', title }, readme: title });
  await newVersion(api, slug, { 'main.py': '1' }, schema('one'));
  await newVersion(api, slug, { 'main.py': '2' }, schema('two'));
  return { slug, id: body.id, path: `/v1/scripts/${slug}` };
}

async function eventsOf(id: string): Promise<Json[]> {
  const { rows } = await database().query<Json>(
    `SELECT type, data->'version' AS version, data->'by'->>'userId' AS by FROM events
     WHERE data->'script'->>'id' = $1 ORDER BY id`,
    [id],
  );
  return rows;
}

async function auditOf(id: string): Promise<string[]> {
  const { rows } = await database().query<{ action: string }>(
    `SELECT action FROM audit_events WHERE target_id = $1 ORDER BY id`,
    [id],
  );
  return rows.map(({ action }) => action);
}

describe('publishing', () => {
  it('makes runs use a version, and an older one again', async () => {
    const { id, slug, path } = await script();
    const published = await member.post(`${path}/publish`, { version: 2 });
    expect(published.status, published.text).toBe(200);
    expect(published.body).toMatchObject({
      status: 'published',
      publishedVersion: 2,
      inputSchema: { title: 'two' },
      readme: 'two',
    });
    expect((await owner.get(path)).body).toEqual(published.body);
    const two = (await owner.get(`${path}/versions/2`)).body;
    expect(two).toMatchObject({ published: true, publishedAt: expect.stringMatching(/Z$/) });
    expect((await owner.get(`${path}/versions/1`)).body).toMatchObject({
      published: false,
      publishedAt: null,
    });
    expect((await owner.get(`/v1/scripts?status=published&q=${slug}`)).body.items).toMatchObject([
      { slug, inputSchema: { title: 'two' } },
    ]);

    const back = await owner.post(`${path}/publish`, { version: 1 });
    expect(back.body).toMatchObject({ publishedVersion: 1, inputSchema: { title: 'one' }, readme: 'one' });
    const versions = (await owner.get(`${path}/versions`)).body.items;
    expect(versions.map(({ published }: { published: boolean }) => published)).toEqual([false, true]);
    expect(versions[0].publishedAt).toBe(two.publishedAt);

    expect((await owner.post(`${path}/publish`, { version: 1 })).body).toEqual(back.body);
    expect(await eventsOf(id)).toEqual([
      { type: 'script.created', version: null, by: ws.owner.id },
      { type: 'script.published', version: 2, by: memberPerson.id },
      { type: 'script.published', version: 1, by: ws.owner.id },
    ]);
    expect(await auditOf(id)).toEqual(['script.created', 'script.published', 'script.published']);
  });

  it('knows only versions and scripts that there are', async () => {
    const { path } = await script();
    for (const version of [3, 2_147_483_647]) {
      const { status, body } = await owner.post(`${path}/publish`, { version });
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    }
    expect((await owner.post('/v1/scripts/none/publish', { version: 1 })).status).toBe(404);
    for (const input of [
      {},
      { version: 0 },
      { version: '1' },
      { version: 1.5 },
      { version: null },
      { version: 2 ** 31 },
      { version: 1, x: 1 },
    ]) {
      const { status, body } = await owner.post(`${path}/publish`, input);
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    }
    expect((await owner.post(`${path}/unpublish`, { version: 1 })).status).toBe(400);
  });

  it('ends by unpublishing, archiving, and begins again by restoring', async () => {
    const { id, path } = await script();
    expect((await owner.post(`${path}/unpublish`)).status).toBe(409);
    expect((await owner.post(`${path}/restore`)).status).toBe(409);
    await owner.post(`${path}/publish`, { version: 2 });
    const draft = await member.post(`${path}/unpublish`);
    expect(draft.status).toBe(200);
    expect(draft.body).toMatchObject({
      status: 'draft',
      publishedVersion: null,
      inputSchema: null,
      readme: null,
    });
    await owner.post(`${path}/publish`, { version: 2 });

    expect((await member.delete(path)).status).toBe(204);
    expect((await member.delete(path)).status).toBe(204);
    expect((await owner.get(path)).body).toMatchObject({ status: 'archived', publishedVersion: null });
    expect((await owner.get(`${path}/versions`)).body.items).toHaveLength(2);
    for (const refused of [
      await owner.post(`${path}/publish`, { version: 1 }),
      await owner.post(`${path}/unpublish`),
      await owner.patch(path, { name: 'x' }),
    ]) {
      expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict']);
    }
    const restored = await member.post(`${path}/restore`);
    expect(restored.status).toBe(200);
    expect(restored.body).toMatchObject({ status: 'draft', publishedVersion: null });
    expect((await owner.post(`${path}/publish`, { version: 1 })).status).toBe(200);
    expect((await eventsOf(id)).map(({ type, version }) => [type, version])).toEqual([
      ['script.created', null],
      ['script.published', 2],
      ['script.published', 2],
      ['script.archived', 2],
      ['script.published', 1],
    ]);
    expect(await auditOf(id)).toEqual([
      'script.created',
      'script.published',
      'script.unpublished',
      'script.published',
      'script.archived',
      'script.restored',
      'script.published',
    ]);
  });

  it('leaves one of many at once in place, with as many events', async () => {
    const { id, path } = await script();
    const answers = await Promise.all(
      [1, 2, 1, 2, 1, 2].map((version) => owner.post(`${path}/publish`, { version })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const { publishedVersion } = (await owner.get(path)).body;
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      type: 'script.published',
      version: publishedVersion,
    });
  });

  it('is kept for a retry with the same key', async () => {
    const { id, path } = await script();
    const send = () => owner.post(`${path}/publish`, { version: 1 }, { 'idempotency-key': path });
    const first = await send();
    await owner.post(`${path}/publish`, { version: 2 });
    const again = await send();
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await owner.get(path)).body.publishedVersion).toBe(2);
    expect(await eventsOf(id)).toHaveLength(3);
  });
});

describe('script settings', () => {
  let here: TestWorkspace;
  const path = '/v1/workspace/script-settings';
  const as = (person: TestPerson): Client => client({ token: person.token, workspace: here.slug });

  beforeAll(async () => {
    here = await newWorkspace();
  });

  it('are read by members and changed by owners and admins', async () => {
    const anybody = as(await here.person('member'));
    const read = await anybody.get(path);
    expect([read.status, read.body]).toEqual([200, { publishNeedsSecondPerson: false }]);
    expect((await anybody.patch(path, { publishNeedsSecondPerson: true })).status).toBe(403);
    expect((await as(await here.person('guest')).get(path)).status).toBe(403);
    const bound = client({ token: await here.apiKey('production') });
    expect((await bound.get(path)).status).toBe(200);
    expect((await bound.patch(path, { publishNeedsSecondPerson: true })).status).toBe(403);
    const admin = as(await here.person('admin'));
    for (const input of [
      { publishNeedsSecondPerson: null },
      { publishNeedsSecondPerson: 'yes' },
      { other: true },
    ]) {
      expect((await admin.patch(path, input)).status).toBe(400);
    }
    expect((await admin.patch(path, {})).body).toEqual({ publishNeedsSecondPerson: false });
    expect((await admin.patch(path, { publishNeedsSecondPerson: true })).body).toEqual({
      publishNeedsSecondPerson: true,
    });
    expect((await admin.patch(path, { publishNeedsSecondPerson: false })).body).toEqual({
      publishNeedsSecondPerson: false,
    });
    expect(await auditOf(here.id)).toEqual(
      expect.arrayContaining(['script_settings.updated', 'script_settings.updated']),
    );
  });

  it('hold publishing back while a second person is asked for, and no key or agent takes that away', async () => {
    const api = as(here.owner);
    const made = await script(api);
    await api.post(`${made.path}/publish`, { version: 1 });
    const key = client({ token: await here.apiKey() });
    expect((await key.patch(path, { publishNeedsSecondPerson: true })).status).toBe(200);
    const { status, body } = await api.post(`${made.path}/publish`, { version: 2 });
    expect([status, body]).toEqual([202, { approval: expect.any(Object) }]);
    expect((await api.get(made.path)).body.publishedVersion).toBe(1);
    const agent = client({ token: await here.owner.agent(), workspace: here.slug });
    for (const who of [key, agent]) {
      expect((await who.patch(path, { publishNeedsSecondPerson: false })).status).toBe(403);
      expect((await who.patch(path, { publishNeedsSecondPerson: true })).status).toBe(200);
    }
    const session = client({ cookie: here.owner.cookie, workspace: here.slug });
    expect((await session.patch(path, { publishNeedsSecondPerson: false })).status).toBe(200);
    expect((await api.post(`${made.path}/publish`, { version: 2 })).status).toBe(200);
  });
});
