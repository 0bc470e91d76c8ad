import https from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HeldRequest } from '../held-request.js';
import type { Refusal } from '../refusal.js';
import { Outside, placeOf } from '../test/gate-fixture.js';
import { gatePids } from '../test/gate-pids.js';
import { heldSocket } from '../test/held-socket.js';
import { type Origin, ORIGIN_ADDRESS, startOrigin } from '../test/origin.js';
import { GateProcess } from './gate-process.js';
import { HeldByGate } from './held-by-gate.js';
import { planOf } from './gate-plan.js';
import type { RemoteGate } from './remote-gate.js';

const DENIED: Refusal = { status: 403, code: 'request_not_approved', reason: 'denied', message: 'Denied.' };

interface Asked {
  request: HeldRequest;
  gone: AbortSignal;
  decide(refusal: Refusal | null): void;
}

describe("what the gate's process holds", { timeout: 60_000 }, () => {
  let outside: Outside;
  let origin: Origin;
  let gates: GateProcess;
  let gate: RemoteGate;
  let port: number;
  let pid: number;
  let asked: Asked[] = [];
  const reached: string[] = [];

  beforeAll(async () => {
    outside = await Outside.open();
    origin = await outside.keep(
      startOrigin(outside.credentials('api.test', ORIGIN_ADDRESS), (req, res) => {
        reached.push(`${req.method} ${req.url}`);
        res.end('ok');
      }),
    );
    const others = gatePids();
    gates = await GateProcess.start();
    [pid = NaN] = gatePids().filter((one) => !others.includes(one));
    const label = `api.test:${origin.port}`;
    gate = gates.open(
      {
        hosts: [label],
        rules: [{ host: label, methods: null, paths: null, ask: 'always' }],
        origins: new Map([[label, { host: ORIGIN_ADDRESS, port: origin.port, protocol: 'https:' }]]),
        allow: ['127.0.0.0/8'],
        ca: [outside.authority.certificate],
      },
      {
        log: () => undefined,
        held: (request, gone) => new Promise((decide) => asked.push({ request, gone, decide })),
      },
    );
    const held = await heldSocket();
    port = held.port;
    gate.serve(held.handle, placeOf(origin.port));
  });
  beforeEach(() => {
    asked = [];
    reached.length = 0;
  });
  afterAll(async () => {
    await gates.close();
    await outside.close();
  });

  function post(path: string, signal?: AbortSignal): Promise<number | string> {
    return new Promise((resolve) => {
      const headers = { host: `api.test:${origin.port}` };
      const ca = gates.certificate;
      const to = { host: '127.0.0.1', port, servername: 'api.test', ca, path, headers, agent: false };
      https
        .request({ ...to, method: 'POST', ...(signal && { signal }) }, (res) => {
          res.resume().on('end', () => resolve(res.statusCode ?? 0));
        })
        .on('error', (error) => resolve(error.message))
        .end('hello');
    });
  }

  async function next(at: number): Promise<Asked> {
    await expect.poll(() => asked.length).toBeGreaterThan(at);
    return asked[at]!;
  }

  it('is sent after a yes, and not after a no', async () => {
    const [first, second] = [post('/one'), next(0).then(() => post('/two'))];
    const [one, two] = [await next(0), await next(1)];
    expect(one.request).toMatchObject({ target: '/one', body: { text: 'hello' } });
    expect(reached).toEqual([]);
    two.decide(DENIED);
    one.decide(null);
    expect([await first, await second]).toEqual([200, 403]);
    expect(reached).toEqual(['POST /one']);
  });

  it('is forgotten when the script hangs up', async () => {
    const hangUp = new AbortController();
    void post('/one', hangUp.signal);
    const { gone, decide } = await next(0);
    hangUp.abort();
    await expect.poll(() => gone.aborted).toBe(true);
    decide(null);
    const after = post('/after');
    (await next(1)).decide(null);
    expect(await after).toBe(200);
    expect(reached).toEqual(['POST /after']);
  });

  it('is never sent when the process is killed meanwhile, whatever the decision', async () => {
    const failed = post('/one');
    const { gone, decide } = await next(0);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => gone.aborted).toBe(true);
    expect(await failed).not.toBe(200);
    await expect.poll(() => gates.isRunning).toBe(true);
    // By its number it could be this one.
    const second = post('/two');
    const two = await next(1);
    decide(null);
    two.decide(DENIED);
    expect(await second).toBe(403);
    expect(reached).toEqual([]);
  });
});

describe('a report of what no gate would hold', () => {
  const request: HeldRequest = {
    number: 1,
    at: 0,
    protocol: 'https',
    host: 'api.test',
    method: 'POST',
    target: '/',
    headers: [],
    body: { bytes: 0, sha256: '', text: '', cut: false },
    sha256: '',
  };
  let asked: HeldRequest[];
  let answers: [number, Refusal | null][];
  let held: HeldByGate;
  let openedAfter: number;
  beforeEach(() => {
    openedAfter = Date.now();
    asked = [];
    answers = [];
    const plan = planOf({ hosts: ['api.test', '*.wild.test'] }, { tellsRequests: false, asks: true });
    held = new HeldByGate(plan, (one, gone) => {
      asked.push(one);
      return new Promise((resolve) => gone.addEventListener('abort', () => resolve(DENIED)));
    });
  });
  const report = (more: Partial<HeldRequest>): void =>
    held.add({ ...request, ...more }, (number, refusal) => answers.push([number, refusal]));

  it.each<[string, Partial<HeldRequest>]>([
    ['of another host', { host: 'evil.test' }],
    ['of another port', { host: 'api.test:8443' }],
    ['of no host', { host: '*.wild.test' }],
    ['of an endless number', { number: 10_001 }],
  ])('is ignored: %s', (_, more) => {
    report(more);
    expect([asked, answers]).toEqual([[], []]);
  });

  it('is ignored where it repeats a number, or there are too many', async () => {
    for (const number of [1, 1, 3, 2]) report({ number });
    expect(asked.map(({ number }) => number)).toEqual([1, 3]);
    for (let number = 4; number < 40; number++) report({ number, host: 'a.wild.test' });
    expect(asked).toHaveLength(16);
    expect(answers).toEqual([]);
    // Until it is decided it counts, also where the script has hung up.
    held.drop(1);
    report({ number: 50 });
    expect(asked).toHaveLength(16);
    await expect.poll(() => answers).toEqual([[1, DENIED]]);
    report({ number: 51 });
    expect(asked).toHaveLength(17);
  });

  it('is dated to the time of its gate', () => {
    report({ number: 1, at: 0 });
    report({ number: 2, at: Number.MAX_SAFE_INTEGER });
    for (const { at } of asked) {
      expect(at).toBeGreaterThanOrEqual(openedAfter);
      expect(at).toBeLessThanOrEqual(Date.now());
    }
  });
});
