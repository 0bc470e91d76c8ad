import { readFileSync, readdirSync } from 'node:fs';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Client, type GatehouseProcess, createClient } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';

let service: GatehouseProcess;
let api: Client;

/** As `npm start` starts it. */
beforeAll(async () => {
  service = await startGatehouse({ program: 'libs/bootstrap/start.mjs' });
  api = createClient({ baseUrl: service.baseUrl });
});
afterAll(() => service?.stop());

/** The process of the service itself. */
function served(): number | undefined {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1];
        return Number(parent) === service.process.pid;
      } catch {
        // It has ended meanwhile.
        return false;
      }
    });
}

it('starts what was built, whatever has been packed and tried since', () => {
  expect(service.output()).not.toMatch(/Building|Installing/);
});

it('a crash of the service is a line in its log, and it is started again', async () => {
  const crashed = served()!;
  process.kill(crashed, 'SIGABRT');
  await expect.poll(served).not.toBe(crashed);
  const status = (): Promise<number | null> =>
    api.get('/health/ready').then(
      (answer) => answer.status,
      () => null,
    );
  await expect.poll(async () => served() !== undefined && (await status())).toBe(200);
  expect(service.output()).toContain('Gatehouse was ended by SIGABRT. It is started again in 1 s.');
});

it('an event loop that stands still is a line in its log, and the service is started again', async () => {
  const hung = served()!;
  process.kill(hung, 'SIGUSR1');
  const inspector = (): string | undefined => /ws:\/\/\S+/.exec(service.output())?.[0];
  await expect.poll(inspector).toBeDefined();
  const socket = new WebSocket(inspector()!);
  await new Promise((opened) => socket.addEventListener('open', opened));
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: 'for (;;);' } }));
  await expect.poll(served, { timeout: 140_000 }).not.toBe(hung);
  socket.close();
  expect(service.output()).toContain('its event loop stood still');
  await expect.poll(() => service.output()).toContain('Gatehouse was ended by SIGKILL. It is started again');
});
