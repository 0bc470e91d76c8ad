import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import type { NestContainer } from '@nestjs/core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Client, createClient } from '../../libs/testing/index.js';
import type { FairSemaphore } from '../../src/core/semaphore/index.js';
import { HMAC, KEY, signed } from '../support/hooks.js';
import { publishedScript } from '../support/scripts.js';

/** More values than are checked on the event loop. */
const INPUTS = { list: Array.from({ length: 6_000 }, () => 1) };
const inputSchema = { properties: { list: { type: 'array', items: { type: 'number', minimum: 0 } } } };

let gatehouse: TestGatehouse;
let api: Client;

beforeAll(async () => {
  gatehouse = await startGatehouse({ runsScripts: true });
  const { baseUrl, workspace } = gatehouse;
  api = createClient({ baseUrl, token: workspace.owner.token, workspace: workspace.slug });
});

afterAll(() => gatehouse?.stop());

/** Of the built service, which has classes of its own. */
function permitsOfThreads(): FairSemaphore {
  const { container } = gatehouse.app as unknown as { container: NestContainer };
  const providers = [...container.getModules().values()].flatMap((module) => [...module.providers.values()]);
  return (providers.find(({ name }) => name === 'Threads')!.instance as { semaphore: FairSemaphore })
    .semaphore;
}

it('runs that nobody asked for wait while the checks of inputs are busy', async () => {
  const { slug } = await publishedScript(api, { 'main.py': 'pass' }, { inputSchema });
  await api.put('/v1/workspace/secrets/HOOK_KEY', { value: KEY, hosts: ['api.example.com'] });
  const of = `/v1/scripts/${slug}`;
  const hook = await api.post(`${of}/hooks`, { name: 'Hook', verify: HMAC });
  const trigger = await api.post(`${of}/triggers`, { name: 'Trigger', eventType: 'ping' });
  const schedule = await api.post(`${of}/schedules`, { name: 'Schedule', cron: '@yearly' });
  for (const { status, text } of [hook, trigger, schedule]) expect(status, text).toBe(201);
  const { database } = gatehouse;
  for (const table of ['hooks', 'triggers', 'schedules'])
    await database.query(`UPDATE ${table} SET inputs = $1`, [JSON.stringify(INPUTS)]);

  const semaphore = permitsOfThreads();
  let taken = 0;
  for (; semaphore.free > 0; taken++) await semaphore.acquire('others');
  const to = gatehouse.baseUrl + new URL(hook.body.url as string).pathname;
  const headers = { 'content-type': 'application/json', 'x-id': '1', ...signed('{}') };
  const sending = fetch(to, { method: 'POST', body: '{}', headers });
  await database.query('UPDATE schedules SET next_run_at = now()');
  await gatehouse.tell('ping');
  const sent = await sending;
  expect([sent.status, sent.headers.get('retry-after')]).toEqual([503, '2']);
  const waiting = async () => {
    const { rows } = await database.query(
      `SELECT attempts FROM waiting_schedules WHERE worker_id IS NULL AND due_at > now()
       UNION ALL SELECT attempts FROM waiting_firings WHERE worker_id IS NULL AND due_at > now()`,
    );
    return rows;
  };
  await expect.poll(waiting).toEqual([{ attempts: 0 }, { attempts: 1 }]);
  expect((await database.query('SELECT FROM runs')).rows).toEqual([]);

  for (; taken > 0; taken--) semaphore.release();
  for (const table of ['waiting_schedules', 'waiting_firings'])
    await database.query(`UPDATE ${table} SET due_at = now()`);
  expect((await fetch(to, { method: 'POST', body: '{}', headers })).status).toBe(202);
  const started = async () =>
    (await database.query('SELECT interface, status FROM runs ORDER BY interface')).rows;
  const by = ['hook', 'schedule', 'trigger'];
  await expect.poll(started).toEqual(by.map((each) => ({ interface: each, status: 'succeeded' })));
});
