import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, type GatehouseProcess, createClient, freePort } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';

describe('a worker with a port of its own', () => {
  let worker: GatehouseProcess;
  let there: Client;

  beforeAll(async () => {
    const port = await freePort();
    worker = await startGatehouse({
      env: { GATEHOUSE_ROLE: 'worker', GATEHOUSE_WORKER_PORT: String(port) },
    });
    there = createClient({ baseUrl: `http://127.0.0.1:${port}` });
  });
  afterAll(() => worker.stop());

  it('tells whether it lives and can run scripts', async () => {
    expect(await there.get('/health/live')).toMatchObject({ status: 200, body: { status: 'live' } });
    const { status, body } = await there.get('/health/ready');
    expect(status).toBe(200);
    expect(body.checks).toMatchObject({ database: 'ok', sandbox: expect.stringMatching(/^limits: /) });
  });

  it('tells its metrics', async () => {
    const { status, text } = await there.get('/metrics');
    expect(status).toBe(200);
    expect(text).toMatch(/^process_start_time_seconds /m);
  });

  it.each([
    '/',
    '/docs',
    '/v1/workspace',
    '/v1/auth/login',
    '/health',
    '/health/ready/',
    '/metrics/x',
    '/mcp',
  ])('serves nothing at %s', async (path) => {
    expect(await there.get(path)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });
});
