import { startGatehouse, type Receiver, type TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('a receiver of a test', () => {
  let gatehouse: TestGatehouse;
  let receiver: Receiver;

  beforeAll(async () => {
    const env = { GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1,::1' };
    gatehouse = await startGatehouse({ env, runsScripts: true });
    receiver = await gatehouse.receiver(['secret.updated']);
  });

  afterAll(() => gatehouse?.stop());

  it('collects what is delivered, of the types that it names', async () => {
    const owner = gatehouse.api.as(gatehouse.workspace.owner.token);
    await owner.post('/v1/scripts', { slug: 'other', name: 'Other' });
    await owner.put('/v1/workspace/secrets/KEY', { value: 'sk_of_the_test', hosts: ['api.example.com'] });
    const { data, headers } = await receiver.waitFor('secret.updated', ({ data }) => data['name'] === 'KEY');
    expect(data).toEqual({ name: 'KEY', environment: 'production' });
    expect(headers['webhook-signature']).toMatch(/^v1,/);
    expect(new Set(receiver.deliveries.map(({ type }) => type))).toEqual(new Set(['secret.updated']));
    expect(receiver.refused).toBe(0);
  });
});
