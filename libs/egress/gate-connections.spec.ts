import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GateOptions } from './gate-options.js';
import { Inside, Outside } from './test/gate-fixture.js';
import { ORIGIN_ADDRESS, startOrigin, startRawOrigin } from './test/origin.js';

describe('connections to hosts', () => {
  let outside: Outside;
  let inside: Inside | undefined;
  beforeAll(async () => {
    outside = await Outside.open();
  });
  afterEach(() => inside?.close());
  afterAll(() => outside.close());

  async function open(port: number, options: Partial<GateOptions> = {}): Promise<Inside> {
    inside = await Inside.open(outside, port, { declared: ['api.test'], ...options });
    return inside;
  }

  it('repeats a GET on a new connection when the pooled one turns out to be closed, and no POST', async () => {
    const origin = await outside.keep(
      startRawOrigin(outside.credentials('api.test'), (socket) => {
        let requests = 0;
        socket.on('data', () => {
          requests += 1;
          if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
          else socket.destroy();
        });
      }),
    );
    const gate = await open(origin.port);
    expect((await gate.call('api.test', '/')).text).toBe('ok');
    expect((await gate.call('api.test', '/')).text).toBe('ok');
    expect(origin.connections()).toBe(2);
    expect((await gate.call('api.test', '/', { method: 'POST', body: 'x' })).status).toBe(502);
    expect(origin.connections()).toBe(2);
  });

  it('sends a POST over no connection that has waited, and a GET over it', async () => {
    const origin = await outside.keep(
      startOrigin(outside.credentials('api.test'), (_req, res) => res.end('ok')),
    );
    const gate = await open(origin.port, { timeouts: { unrepeatableIdleMs: 0 } });
    for (let count = 1; count <= 3; count += 1) {
      expect((await gate.call('api.test', '/', { method: 'POST', body: 'x' })).text).toBe('ok');
      expect((await gate.call('api.test', '/')).text).toBe('ok');
      expect(origin.connections()).toBe(count);
    }
  });

  it('falls back to the next address', async () => {
    const origin = await outside.keep(
      startOrigin(outside.credentials('api.test'), (_req, res) => res.end('ok')),
    );
    outside.dns.records.set('api.test', ['10.0.0.1', '127.0.0.9', ORIGIN_ADDRESS]);
    expect((await (await open(origin.port)).call('api.test', '/')).text).toBe('ok');
  });

  it('ends the host’s connection when the script hangs up', async () => {
    let begun = false;
    let closed = false;
    const origin = await outside.keep(
      startOrigin(outside.credentials('api.test'), (req) => {
        begun = true;
        req.socket.once('close', () => (closed = true));
      }),
    );
    const req = (await open(origin.port)).request('api.test', '/');
    req.on('error', () => undefined);
    req.end();
    await expect.poll(() => begun).toBe(true);
    req.destroy();
    await expect.poll(() => closed).toBe(true);
    expect(inside?.lines).toEqual([]);
  });

  it('ends the host’s connection when the script breaks off its upload', async () => {
    let begun = false;
    let aborted = false;
    const origin = await outside.keep(
      startOrigin(outside.credentials('api.test'), (req) => {
        req.once('data', () => (begun = true));
        req.on('error', () => (aborted = true));
      }),
    );
    const req = (await open(origin.port)).request('api.test', '/', {
      method: 'POST',
      headers: { 'content-length': 1000 },
    });
    req.on('error', () => undefined);
    req.write('a part');
    await expect.poll(() => begun).toBe(true);
    req.destroy();
    await expect.poll(() => aborted).toBe(true);
  });

  it('waits for a script that reads slowly', async () => {
    const body = Buffer.alloc(8_000_000, 'x');
    const origin = await outside.keep(
      startOrigin(outside.credentials('api.test'), (_req, res) => res.end(body)),
    );
    const gate = await open(origin.port, { timeouts: { idleMs: 1_000 } });
    const req = gate.request('api.test', '/');
    req.end();
    const length = await new Promise<number>((resolve, reject) => {
      req.on('error', reject);
      req.on('response', (res) => {
        let total = 0;
        setTimeout(() => {
          res.on('data', (chunk: Buffer) => (total += chunk.length));
          res.on('end', () => resolve(total));
          res.on('error', reject);
        }, 4_000);
      });
    });
    expect(length).toBe(body.length);
  });
});
