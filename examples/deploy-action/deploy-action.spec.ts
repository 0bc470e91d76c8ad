import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import deployAction from './deploy-action.extension.js';

const REQUESTS = '/v1/workspace/approval-requests';

describe('a key to deploy a service', () => {
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [deployAction({ services: 'api,web' })] });
  });

  afterAll(() => gatehouse?.stop());

  const ask = async (service: string) => {
    const token = gatehouse.api.as(gatehouse.workspace.owner.token);
    const request = { action: 'deploy_action.key', input: { service }, reason: 'The build needs it.' };
    return { token, ...(await token.post(REQUESTS, request)) };
  };

  it('is made once somebody approves, and handed out once', async () => {
    const { token, body } = await ask('api');
    expect(body.summary).toBe('Make a key that deploys api to production.');
    expect((await token.post(`${REQUESTS}/${body.id}/redeem`)).status).toBe(400);
    const admin = gatehouse.api.as(await gatehouse.workspace.person('admin'));
    expect((await admin.post(`${REQUESTS}/${body.id}/approve`)).status).toBe(200);
    const redeemed = await token.post(`${REQUESTS}/${body.id}/redeem`);
    expect(redeemed.body.secret).toMatch(/^deploy_api_/);
    expect((await token.post(`${REQUESTS}/${body.id}/redeem`)).status).toBe(400);
    const { body: audit } = await admin.get('/v1/workspace/audit-events?action=deploy_action.key_made');
    expect(audit.items).toMatchObject([
      { target: { type: 'service', id: 'api' }, details: { request: body.id } },
    ]);
  });

  it('is for services that the operator has named', async () => {
    const { status, body } = await ask('billing');
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ path: 'input.service', message: 'cannot be deployed' }]);
  });
});
