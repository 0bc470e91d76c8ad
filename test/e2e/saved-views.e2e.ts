import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';

const VIEWS = '/v1/workspace/views';
const FAILED = { list: 'runs', name: 'Failed today', search: 'since=day&status=failed' };

describe('saved views', () => {
  let ws: TestWorkspace;
  let owner: Client;
  let member: Client;
  let guest: Client;
  beforeAll(async () => {
    ws = await newWorkspace();
    owner = client({ token: ws.owner.token, workspace: ws.slug });
    member = client({ token: (await ws.person('member')).token, workspace: ws.slug });
    guest = client({ token: (await ws.person('guest')).token, workspace: ws.slug });
  });

  const saved = async (by: Client, fields: object = {}): Promise<Json> => {
    const { status, body, text } = await by.post(VIEWS, { ...FAILED, ...fields });
    expect(status, text).toBe(201);
    return body;
  };
  const namesFor = async (by: Client): Promise<unknown[]> => {
    const { body } = await by.get(`${VIEWS}?limit=100`);
    return (body.items as Json[]).map(({ name }) => name);
  };

  it('are for oneself, or for everyone', async () => {
    const own = await saved(member, { name: 'Mine' });
    const shared = await saved(member, { name: 'Ours', shared: true });
    expect(own).toEqual({
      ...FAILED,
      name: 'Mine',
      id: expect.stringMatching(/^viw_/) as string,
      shared: false,
      createdByUserId: expect.stringMatching(/^usr_/) as string,
      createdAt: expect.any(String) as string,
      updatedAt: own.createdAt,
    });
    expect(await namesFor(member)).toEqual(['Ours', 'Mine']);
    expect(await namesFor(guest)).toEqual(['Ours']);
    const foreign = await newWorkspace();
    const elsewhere = client({ token: foreign.owner.token, workspace: foreign.slug });
    expect(await namesFor(elsewhere)).toEqual([]);
    expect((await elsewhere.patch(`${VIEWS}/${shared.id}`, { name: 'x' })).status).toBe(404);
    expect((await elsewhere.delete(`${VIEWS}/${shared.id}`)).status).toBe(404);
    // Somebody else's own is not there for others, an owner included.
    for (const by of [owner, guest]) {
      expect((await by.patch(`${VIEWS}/${own.id}`, { name: 'x' })).status).toBe(404);
      expect((await by.delete(`${VIEWS}/${own.id}`)).status).toBe(404);
    }
    expect((await guest.delete(`${VIEWS}/${shared.id}`)).status).toBe(403);
    expect((await owner.delete(`${VIEWS}/${shared.id}`)).status).toBe(204);
    expect((await guest.post(VIEWS, { ...FAILED, shared: true })).status).toBe(403);
    await saved(guest);
  });

  it('have one name each among those for the same', async () => {
    const first = await saved(owner, { name: 'One' });
    await saved(owner, { name: 'One', shared: true });
    expect(await owner.post(VIEWS, { ...FAILED, name: 'One' })).toMatchObject({
      status: 409,
      body: { error: { details: [{ path: 'name', message: 'is taken' }] } },
    });
    const other = await saved(owner, { name: 'Other' });
    expect((await owner.patch(`${VIEWS}/${other.id}`, { name: 'One' })).status).toBe(409);
    const changed = await owner.patch(`${VIEWS}/${first.id}`, { search: 'status=cancelled' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'One', search: 'status=cancelled' } });
  });

  it('are at most 50 for somebody, also at once', async () => {
    const person = client({ token: (await ws.person('member')).token, workspace: ws.slug });
    const statuses = await Promise.all(
      Array.from({ length: 53 }, async (_, index) => {
        return (await person.post(VIEWS, { ...FAILED, name: `View ${index}` })).status;
      }),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(50);
    expect(statuses.filter((status) => status === 409)).toHaveLength(3);
  });

  it.each([
    ['list', { list: 'scripts' }],
    ['name', { name: '' }],
    ['name', { name: 'a\nb' }],
    ['search', { search: 'x'.repeat(2001) }],
    ['search', { search: { status: 'failed' } }],
    ['shared', { shared: null }],
    ['colour', { colour: 'red' }],
  ])('are refused with the place of what is wrong: %s', async (path, fields) => {
    const { status, body } = await member.post(VIEWS, { ...FAILED, name: 'Wrong', ...fields });
    expect([status, (body.error as { details: { path: string }[] }).details[0]!.path]).toEqual([400, path]);
  });

  it('are in the audit trail', async () => {
    const { id } = await saved(owner, { name: 'Kept', shared: true });
    await owner.patch(`${VIEWS}/${id}`, { name: 'Renamed' });
    await owner.delete(`${VIEWS}/${id}`);
    const { body } = await owner.get(`/v1/workspace/audit-events?target=${id}`);
    const entries = (body.items as Json[]).map(({ action, details }) => [action, details]);
    expect(entries).toEqual([
      ['view.deleted', { name: 'Renamed', list: 'runs', shared: true }],
      ['view.updated', { name: 'Renamed', list: 'runs', shared: true, changed: ['name'] }],
      ['view.created', { name: 'Kept', list: 'runs', shared: true }],
    ]);
  });
});
