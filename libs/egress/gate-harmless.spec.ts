import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GateSecret } from './gate-options.js';
import { HostSet } from './host-set.js';
import { Inside, Outside } from './test/gate-fixture.js';
import { type Origin, startOrigin } from './test/origin.js';

const TOKEN = 'run-token-0123456789';

describe('what the gate attaches that opens nothing', () => {
  let outside: Outside;
  let origin: Origin;
  let inside: Inside;
  const open = async (...more: GateSecret[]): Promise<void> => {
    const hosts = new HostSet([`own.test:${origin.port}`]);
    inside = await Inside.open(outside, origin.port, {
      declared: ['own.test', 'other.test'],
      secrets: [{ name: '(run)', hosts, header: 'x-run', value: TOKEN, harmlessBelow: '/app' }, ...more],
    });
  };

  beforeAll(async () => {
    outside = await Outside.open();
    origin = await outside.keep(
      startOrigin(outside.credentials('own.test', 'other.test'), ({ headers }, res) => {
        const head = { etag: '"a"', 'accept-ranges': 'bytes', 'x-coding': headers['accept-encoding'] ?? '' };
        res.writeHead(headers.range ? 206 : 200, head).end(`${headers.range} ${headers['x-run']}`);
      }),
    );
  });
  beforeEach(() => open());
  afterEach(() => inside.close());
  afterAll(() => outside.close());

  const asked = { headers: { range: 'bytes=0-9', 'accept-encoding': 'gzip', 'x-run': 'forged' } };

  it.each([
    ['own.test', '/app/x', TOKEN],
    ['own.test', '/other', 'undefined'],
    ['other.test', '/app/x', 'undefined'],
  ])('goes with requests to its folder alone: https://%s%s', async (host, path, token) => {
    const headers = { ...asked.headers, ...(token !== TOKEN && { 'x-run': [] }) };
    expect((await inside.call(host, path, { headers })).text).toBe(`bytes=0-9 ${token}`);
  });

  it.each(['own.test', 'other.test'])('costs %s neither ranges nor what describes a body', async (host) => {
    const { status, headers } = await inside.call(host, '/app/x', asked);
    expect([status, headers.etag, headers['accept-ranges'], headers['x-coding']]).toEqual([
      206,
      '"a"',
      'bytes',
      'gzip',
    ]);
  });

  it('is masked where responses are searched anyway', async () => {
    inside.close();
    const hosts = new HostSet([`other.test:${origin.port}`]);
    await open({ name: 'KEY', hosts, header: 'authorization', value: 'something-secret' });
    expect((await inside.call('own.test', '/app/x', asked)).text).toBe('undefined ***');
  });
});
