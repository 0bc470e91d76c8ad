import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import TicketsExtension from './tickets.extension.js';

describe('tickets', () => {
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [TicketsExtension] });
  });

  afterAll(() => gatehouse?.stop());

  it('are opened by a member, and told of', async () => {
    const member = gatehouse.api.as(await gatehouse.workspace.person('member'));
    const { status, body } = await member.post('/v1/tickets', { title: 'The export is late' });
    expect(status).toBe(201);
    const { items } = (await member.get('/v1/tickets')).body;
    expect(items).toEqual([{ id: body.id, title: 'The export is late' }]);
    expect((await gatehouse.waitFor('tickets.opened')).data).toEqual({ id: body.id });
  });

  it('are not for guests, nor for tokens without the scope', async () => {
    const { workspace, api } = gatehouse;
    expect((await api.as(await workspace.person('guest')).get('/v1/tickets')).status).toBe(403);
    const reader = api.as(await workspace.owner.tokenWith({ scopes: ['tickets:read'] }));
    expect((await reader.get('/v1/tickets')).status).toBe(200);
    expect((await reader.post('/v1/tickets', { title: 'Mine' })).status).toBe(403);
  });

  it('are told of again once they are overdue', async () => {
    const key = gatehouse.api.as(await gatehouse.workspace.apiKey());
    const { id } = (await key.post('/v1/tickets', { title: 'Old' })).body;
    await gatehouse.clock.forward('8 days');
    await gatehouse.waitFor('tickets.overdue', ({ data }) => data['id'] === id);
  });
});
