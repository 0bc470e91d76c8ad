import https from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeOf } from '../test/gate-fixture.js';
import { heldSocket } from '../test/held-socket.js';
import type { WithheldRequest } from '../withheld-request.js';
import { planOf } from './gate-plan.js';
import { GateProcess } from './gate-process.js';
import { RemoteGate } from './remote-gate.js';

const REQUEST: WithheldRequest = {
  at: 0,
  protocol: 'https',
  host: 'api.test',
  method: 'POST',
  target: '/x',
  headers: [],
  body: { bytes: 0, sha256: 'a'.repeat(64), text: '' },
};

describe("what the gate's process withholds", { timeout: 60_000 }, () => {
  let gates: GateProcess;
  beforeAll(async () => {
    gates = await GateProcess.start();
  });
  afterAll(() => gates.close());

  it('is told of before the gate says that it is closed', async () => {
    const told: WithheldRequest[] = [];
    const gate = gates.open(
      { hosts: ['api.test'], readsOnly: true },
      { log: () => undefined, withheld: (request) => void told.push(request) },
    );
    const { handle, port } = await heldSocket();
    gate.serve(handle, placeOf(443));
    const status = await new Promise((resolve, reject) => {
      const to = { host: '127.0.0.1', port, servername: 'api.test', headers: { host: 'api.test' } };
      https
        .request({ ...to, ca: gates.certificate, method: 'POST', agent: false }, (res) => {
          resolve(res.resume().statusCode);
        })
        .on('error', reject)
        .end('hello');
    });
    expect(status).toBe(409);
    expect(await gate.close()).toMatchObject([{ host: 'api.test', requests: 0, denied: 1 }]);
    expect(told).toMatchObject([{ method: 'POST', host: 'api.test', body: { text: 'hello' } }]);
  });

  it('is of a host that is declared, and of the time while the gate was open', () => {
    const told: WithheldRequest[] = [];
    const plan = planOf({ hosts: ['api.test'], readsOnly: true }, { tellsRequests: false, asks: false });
    const events = { log: () => undefined, withheld: (request: WithheldRequest) => void told.push(request) };
    const before = Date.now();
    const gate = new RemoteGate(1, plan, events, () => undefined);
    const receive = (request: Partial<WithheldRequest>): void =>
      gate.receive({ type: 'withheld', id: 1, request: { ...REQUEST, ...request } });
    receive({ host: 'other.test' });
    receive({ host: 'not a host' });
    receive({ at: 0 });
    receive({ at: Date.now() + 3_600_000 });
    expect(told).toHaveLength(2);
    for (const { at } of told) {
      expect(at).toBeGreaterThanOrEqual(before);
      expect(at).toBeLessThanOrEqual(Date.now());
    }
  });
});
