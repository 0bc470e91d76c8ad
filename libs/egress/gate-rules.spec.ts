import { describe, expect, it } from 'vitest';
import { VariedGate } from './test/varied-gate.js';
import { seen } from './test/varied-origin.js';

describe('a gate with rules', () => {
  const scene = VariedGate.forEach();

  async function open(): Promise<void> {
    const host = `api.test:${scene.origin.port}`;
    const rules = [{ host, methods: ['POST', 'GET'], paths: ['/echo'] }];
    await scene.open({ declared: ['api.test', 'other.test'], rules });
  }

  it('passes what they name, body and query included', async () => {
    await open();
    const response = await scene.inside.call('api.test', '/echo?a=1', { method: 'POST', body: 'hello' });
    expect(seen(response)).toMatchObject({ method: 'POST', url: '/echo?a=1', body: 'hello' });
    expect(scene.inside.lines).toEqual([]);
  });

  it('refuses the rest with a readable response and a line in the log, and goes on', async () => {
    await open();
    const response = await scene.inside.call('api.test', '/sum', {
      method: 'POST',
      body: 'x'.repeat(300_000),
    });
    const { port } = scene.origin;
    expect([response.status, response.headers['x-gate-error']]).toEqual([403, 'request_not_declared']);
    expect(response.text).toContain(`POST https://api.test:${port}/sum is not among`);
    expect((await scene.inside.call('api.test', '/echo', { method: 'PUT' })).status).toBe(403);
    const headers = { 'x-http-method-override': 'DELETE' };
    expect((await scene.inside.call('api.test', '/echo', { headers })).status).toBe(403);
    expect(scene.inside.lines).toEqual([
      `gate: refused a request to api.test:${port}: POST https://api.test:${port}/sum is not among what this version declares`,
      expect.stringContaining(`PUT https://api.test:${port}/echo is not among what this version declares`),
      expect.stringContaining('its header x-http-method-override may stand for another method or path'),
    ]);
    expect((await scene.inside.call('api.test', '/echo')).status).toBe(200);
    expect(scene.inside.gate.usage()).toMatchObject([{ denied: 3, requests: 1 }]);
  });

  it('leaves a host without rules as it is', async () => {
    await open();
    const headers = { 'x-http-method-override': 'DELETE' };
    const response = await scene.inside.call('other.test', '/echo', { method: 'PUT', headers });
    expect(seen(response)).toMatchObject({ method: 'PUT' });
    expect((await scene.inside.call('other.test', '/sum', { method: 'POST' })).status).toBe(200);
  });
});
