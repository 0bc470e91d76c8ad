import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Settings } from '../../core/config/index.js';
import { VaultSource } from './vault-source.js';

const SECRET = {
  name: 'SOURCED',
  reference: 'stripe#key',
  workspace: { id: 'wks_1', slug: 'acme' },
  environment: { id: 'env_1', name: 'production' },
};
const MINUTE_MS = 60_000;

describe('logins to Vault', () => {
  let server: Server;
  let source: VaultSource;
  /** What is asked, by its last words. */
  let asked: string[];
  let alive: Set<string>;
  let policies: string[];
  /** Whether the tokens may read the secret. */
  let mayRead: boolean;
  /** Logins that are not responded to yet, where they wait. */
  let waiting: (() => void)[] | null;

  beforeEach(async () => {
    [asked, alive, policies, mayRead, waiting] = [[], new Set(), ['default', 'gatehouse'], true, null];
    server = createServer((request, response) => {
      const word = request.url!.split('/').at(-1)!;
      asked.push(word);
      if (word === 'login') return waiting ? void waiting.push(() => logIn(response)) : logIn(response);
      const isAlive = alive.has(String(request.headers['x-vault-token']));
      if (word === 'lookup-self')
        return send(response, isAlive && policies.includes('default') ? 200 : 403, {});
      return send(response, isAlive && mayRead ? 200 : 403, { data: { data: { key: 'value' } } });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    source = new VaultSource({
      secretStores: {
        vault: {
          address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          ...{ namespace: null, mount: 'secret', prefix: '{workspace}/', ca: null },
          login: { kind: 'approle', mount: 'approle', roleId: 'role', secretId: { value: 'other-half' } },
        },
      },
    } as unknown as Settings);
  });
  afterEach(async () => {
    vi.useRealTimers();
    source.onApplicationShutdown();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });

  const send = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const logIn = (response: ServerResponse): void => {
    const token = `hvs.${alive.size}.${asked.length}`;
    alive.add(token);
    send(response, 200, { auth: { client_token: token, lease_duration: 3600, policies } });
  };
  const read = (signal = AbortSignal.timeout(5_000)) => source.read(SECRET, { signal });
  const logins = (): number => asked.filter((word) => word === 'login').length;
  const REFUSED = 'Vault does not let this Gatehouse read stripe.';

  it('are not made anew by each read that Vault refuses', async () => {
    mayRead = false;
    for (let time = 0; time < 5; time++) await expect(read()).rejects.toThrow(REFUSED);
    expect(logins()).toBe(1);
  });

  it('are made anew once a minute at most, where refusals may be for a token that has ended', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    [mayRead, policies] = [false, ['gatehouse']];
    for (let time = 0; time < 5; time++) await expect(read()).rejects.toThrow(REFUSED);
    expect(asked.filter((word) => word === 'lookup-self')).toEqual([]);
    expect(logins()).toBe(1);
    vi.advanceTimersByTime(MINUTE_MS + 1);
    await Promise.all(Array.from({ length: 5 }, () => expect(read()).rejects.toThrow(REFUSED)));
    await expect(read()).rejects.toThrow(REFUSED);
    expect(logins()).toBe(2);
  });

  it('are made anew at once where the token has been revoked', async () => {
    expect(await read()).toBe('value');
    alive.clear();
    expect(await Promise.all([read(), read(), read()])).toEqual(['value', 'value', 'value']);
    expect(logins()).toBe(2);
  });

  it('are shared, and do not end with whoever was first', async () => {
    waiting = [];
    const first = new AbortController();
    const reads = [read(first.signal), read(), read()];
    await expect.poll(() => waiting!.length).toBeGreaterThan(0);
    first.abort(new Error('the run has ended'));
    await expect(reads[0]).rejects.toThrow('the run has ended');
    for (const respond of waiting) respond();
    expect(await Promise.all(reads.slice(1))).toEqual(['value', 'value']);
    expect(logins()).toBe(1);
  });

  it('that everybody has left are no failure of anybody, and serve the next', async () => {
    waiting = [];
    const leaving = new AbortController();
    const left = read(leaving.signal);
    await expect.poll(() => waiting!.length).toBeGreaterThan(0);
    leaving.abort(new Error('the run has ended'));
    await expect(left).rejects.toThrow('the run has ended');
    const next = read();
    for (const respond of waiting) respond();
    expect(await next).toBe('value');
    expect(logins()).toBe(1);
  });
});
