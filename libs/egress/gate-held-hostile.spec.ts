import type http from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MOST_HELD } from './held-requests.js';
import type { HostRule } from './request-rules.js';
import { DENIED, Desk } from './test/desk.js';
import { Inside, Outside, read } from './test/gate-fixture.js';
import { type Origin, startOrigin } from './test/origin.js';

describe('requests that are held', () => {
  let outside: Outside;
  let inside: Inside;
  let origin: Origin;
  let desk: Desk;
  let reached: string[] = [];
  beforeAll(async () => {
    outside = await Outside.open();
    origin = await outside.keep(
      startOrigin(outside.credentials('api.test'), (req: http.IncomingMessage, res) => {
        void read(req).then(({ text }) => {
          reached.push(`${req.method} ${req.url} ${text}`);
          res.end(`response to ${req.url}`);
        });
      }),
    );
  });
  beforeEach(async () => {
    reached = [];
    desk = new Desk();
    const host = `api.test:${origin.port}`;
    const rules: HostRule[] = [
      { host, methods: ['POST'], paths: ['/*'], ask: 'always' },
      { host, methods: ['GET'], paths: ['/*'] },
    ];
    inside = await Inside.open(outside, origin.port, { declared: ['api.test'], rules, onHeld: desk.onHeld });
  });
  afterEach(() => inside.close());
  afterAll(() => outside.close());

  const post = (path: string, body: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: api.test:${inside.port}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  it('are sent one by one as they are decided, pipelined or not', async () => {
    const text = inside.raw('api.test', post('/one', '1') + post('/two', '22'), 2);
    const [one, two] = [await desk.next(0), await desk.next(1)];
    expect([one.request.target, two.request.target]).toEqual(['/one', '/two']);
    two.decide(null);
    await expect.poll(() => reached).toEqual(['POST /two 22']);
    one.decide(DENIED);
    expect(await text).toMatch(/403.*Denied.*response to \/two/s);
    expect(reached).toHaveLength(1);
  });

  it('are not changed by what comes after them', async () => {
    const socket = await inside.tls('api.test');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(post('/one', 'honest'));
    const { decide } = await desk.next(0);
    socket.write('evil, and more of it');
    await expect.poll(() => inside.lines.length).toBe(1);
    decide(null);
    await expect.poll(() => socket.destroyed).toBe(true);
    expect(reached.filter((line) => line !== 'POST /one honest')).toEqual([]);
  });

  it.each([
    ['before the yes', false],
    ['with a request behind them on the connection', true],
  ])('are never sent once the script has hung up, %s', async (_, isBehind) => {
    const socket = await inside.tls('api.test');
    socket.write(post('/one', '1') + (isBehind ? post('/two', '2') : ''));
    const count = isBehind ? 2 : 1;
    await desk.next(count - 1);
    socket.destroy();
    await expect.poll(() => desk.held.map(({ gone }) => gone.aborted)).toEqual(Array(count).fill(true));
    for (const { decide } of desk.held) decide(null);
    expect((await inside.call('api.test', '/after')).text).toBe('response to /after');
    expect(reached).toEqual(['GET /after ']);
    expect(inside.gate.usage()).toMatchObject([{ requests: 1 }]);
  });

  it('are never sent once the gate is closed', async () => {
    const response = inside.call('api.test', '/one', { method: 'POST' }).catch(() => null);
    const { gone, decide } = await desk.next(0);
    inside.close();
    await expect.poll(() => gone.aborted).toBe(true);
    decide(null);
    expect(await response).toBeNull();
    expect(reached).toEqual([]);
  });

  it(`are ${MOST_HELD} at a time, and get their places back`, async () => {
    const responses = Array.from({ length: MOST_HELD }, () =>
      inside.call('api.test', '/one', { method: 'POST' }),
    );
    await desk.next(MOST_HELD - 1);
    const more = await inside.call('api.test', '/more', { method: 'POST' });
    expect([more.status, more.text]).toEqual([429, expect.stringContaining(`More than ${MOST_HELD}`)]);
    for (const { decide } of desk.held) decide(DENIED);
    await Promise.all(responses);
    const again = inside.call('api.test', '/again', { method: 'POST' });
    (await desk.next(MOST_HELD)).decide(null);
    expect((await again).status).toBe(200);
  });
});
