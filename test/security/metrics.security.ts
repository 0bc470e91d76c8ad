import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Answer, createClient } from '../../libs/testing/index.js';
import { client, localClient, newWorkspace, startGatehouse } from '../support/gatehouse.js';

const TOKEN = 'a-token-for-prometheus';

let gatehouse: Awaited<ReturnType<typeof startGatehouse>>;

beforeAll(async () => {
  gatehouse = await startGatehouse({
    env: {
      GATEHOUSE_METRICS_ALLOW: '203.0.113.0/24,2001:db8:7::/48',
      GATEHOUSE_METRICS_TOKEN: TOKEN,
      GATEHOUSE_TRUST_PROXY: '127.0.0.2',
      GATEHOUSE_HOSTS: 'gatehouse, worker',
    },
  });
});
afterAll(() => gatehouse?.stop());

const get = (headers: Record<string, string> = {}): Promise<Answer> =>
  createClient({ baseUrl: gatehouse.baseUrl, headers }).get('/metrics');

/** The status for a request that comes from this address of this machine. */
function statusFrom(localAddress: string, headers: Record<string, string> = {}): Promise<number> {
  const port = Number(new URL(gatehouse.baseUrl).port);
  return new Promise((done, fail) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers });
    socket.write(
      `GET /metrics HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    socket.once('data', (chunk) => {
      done(Number(chunk.toString().split(' ')[1]));
      socket.destroy();
    });
    socket.once('error', fail);
  });
}

const behindProxy = (address: string): Promise<number> =>
  statusFrom('127.0.0.2', { 'x-forwarded-for': address });

describe('/metrics', () => {
  it('is served to this machine', async () => {
    const { status, text } = await get();
    expect(status).toBe(200);
    expect(text).toContain('process_resident_memory_bytes');
    expect((await localClient().get('/metrics')).status).toBe(200);
  });

  it('is not there for others, whatever credential of the service they have', async () => {
    const { owner, slug } = await newWorkspace();
    const unknown = await client().get('/metricz');
    for (const api of [
      client(),
      client({ token: owner.token, workspace: slug }),
      client({ cookie: owner.cookie, workspace: slug }),
    ]) {
      const answer = await api.get('/metrics');
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
      expect(answer.body.error.message).toBe(unknown.body.error.message.replace('metricz', 'metrics'));
    }
  });

  it('is not served to a page whose own name points to this machine, not even with the token', async () => {
    expect(await statusFrom('127.0.0.1', { host: 'evil.example' })).toBe(421);
    expect(await statusFrom('127.0.0.2', { host: 'evil.example', 'x-forwarded-for': '203.0.113.9' })).toBe(
      421,
    );
    const authorization = `Bearer ${TOKEN}`;
    expect(await statusFrom('127.0.0.1', { host: 'evil.example', authorization })).toBe(421);
    expect(await statusFrom('127.0.0.1', { host: 'gatehouse:3000' })).toBe(200);
  });

  it('is served to the addresses of the setting, as the trusted proxy tells them', async () => {
    expect(await behindProxy('203.0.113.9')).toBe(200);
    expect(await behindProxy('2001:db8:7:1::1')).toBe(200);
    expect(await behindProxy('::ffff:203.0.113.9')).toBe(200);
    expect(await behindProxy('203.0.114.9')).toBe(404);
    expect(await behindProxy('2001:db8:8::1')).toBe(404);
    expect(await behindProxy('unknown')).toBe(404);
    // What a client behind the proxy made up stands before what the proxy has added.
    expect(await behindProxy('127.0.0.1, 198.51.100.1')).toBe(404);
    expect(await behindProxy('203.0.113.9, 198.51.100.1')).toBe(404);
  });

  it.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
    'is not served to what a proxy on this machine passes on that nobody trusts: %s',
    async (name) => {
      expect((await get({ [name]: '203.0.113.9' })).status).toBe(404);
      expect((await get({ [name]: '127.0.0.1' })).status).toBe(404);
    },
  );

  it('is served to whoever has its token', async () => {
    const elsewhere = { 'x-forwarded-for': '198.51.100.1' };
    const by = async (authorization: string): Promise<number> =>
      (await get({ ...elsewhere, authorization })).status;
    expect(await by(`Bearer ${TOKEN}`)).toBe(200);
    expect(await by(`bearer ${TOKEN}`)).toBe(200);
    expect(await by(`Bearer ${TOKEN}x`)).toBe(404);
    expect(await by(`Basic ${TOKEN}`)).toBe(404);
    expect(await by('Bearer ')).toBe(404);
    // Where there is no token, none opens it.
    expect((await client({ token: 'null' }).get('/metrics')).status).toBe(404);
  });
});
