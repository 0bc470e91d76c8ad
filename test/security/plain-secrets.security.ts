import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { aGatedAttacker } from './support/gated.js';

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
// The host of these tests has another address.
const attacker = aGatedAttacker({ alone: true, env: { GATEHOUSE_PLAIN_SECRETS: '127.0.0.2' } });
let heard: IncomingHttpHeaders[] = [];
let connections = 0;
const server = createServer((request, response) => {
  heard.push(request.headers);
  response.end('in the clear');
}).on('connection', () => (connections += 1));
let host: string;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  host = `localhost:${(server.address() as AddressInfo).port}`;
  await attacker.secret('KEY', SECRET, [host]);
});
beforeEach(() => {
  heard = [];
  connections = 0;
});
afterAll(() => void server.close());

const CALL = (method: string) => `
import os, urllib.error, urllib.request
try: print(urllib.request.urlopen(urllib.request.Request("http://${host}/", method="${method}"), timeout=10).status)
except urllib.error.HTTPError as e: print(json.dumps([e.code, e.headers["x-gate-error"]]))`;

describe('a secret that would go in the clear', () => {
  it.each(['GET', 'POST'])(
    'is not sent by %s to an address that the operator has not named',
    async (method) => {
      const fields = { hosts: [{ host, protocol: 'http' }], secrets: { KEY: { header: 'x-key', host } } };
      const end = await attacker.attempt(CALL(method), fields);
      expect(end.output).toEqual([403, 'address_refused']);
      expect([heard, connections]).toEqual([[], 0]);
      const log = await attacker.log(end.id);
      expect(log).toContain(`gate: refused a request to ${host}`);
      expect(log).not.toContain(SECRET);
      const { body } = await attacker.api.get('/v1/workspace/secrets/KEY');
      expect(body.lastUsedAt ?? null).toBeNull();
    },
  );

  it('does not keep what needs none from going', async () => {
    const end = await attacker.attempt(CALL('GET'), { hosts: [{ host, protocol: 'http' }] });
    expect([end.output, heard.length]).toEqual([200, 1]);
    expect(JSON.stringify(heard)).not.toContain(SECRET);
  });
});
