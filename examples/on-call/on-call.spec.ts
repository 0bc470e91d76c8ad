import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import OnCallExtension from './on-call.extension.js';

describe('who is on call', () => {
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [OnCallExtension] });
  });

  afterAll(() => gatehouse?.stop());

  it('is said by an admin, and read by the form again', async () => {
    const admin = gatehouse.api.as(await gatehouse.workspace.person('admin'));
    const values = { person: 'Ada', phone: '+4930123456', hours: 'always' };
    expect((await admin.put('/v1/on-call', values)).status).toBe(200);
    expect((await admin.get('/v1/on-call')).body).toEqual(values);
    const { status, body } = await admin.put('/v1/on-call', { ...values, phone: '110' });
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ path: 'phone' }]);
  });

  it('is whoever takes over', async () => {
    const person = await gatehouse.workspace.person('member');
    const { body } = await gatehouse.api.as(person).post('/v1/on-call/take');
    expect(body.person).toBe(person.name);
  });

  it.each([
    ['owner', ['on_call', 'on_call.now']],
    ['member', ['on_call.now']],
    ['guest', []],
  ] as const)('has for the role %s the pages %j', async (role, names) => {
    const { workspace, api } = gatehouse;
    const person = role === 'owner' ? workspace.owner : await workspace.person(role);
    const { items } = (await api.as(person).get('/v1/workspace/settings-pages')).body;
    expect(items.map(({ name }: { name: string }) => name)).toEqual(names);
  });
});
