import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { newId } from '../../src/core/crypto/ids.js';
import { Receiver, WebhookBench } from '../support/webhooks.js';

let bench: WebhookBench;
let api: Client;
let receiver: Receiver;
let rule: Json;
let workspaceId: string;

const answerNothing: Receiver['answer'] = () => undefined;

beforeEach(async () => {
  bench = await WebhookBench.start();
  const workspace = await bench.workspace();
  workspaceId = workspace.id;
  api = bench.client(workspace);
  receiver = await bench.receiver();
  const destination = { channel: 'webhook', url: receiver.url };
  const { body, text, status } = await api.post('/v1/alerts', {
    name: 'Rule',
    on: ['failed'],
    destination,
    groupSeconds: 600,
  });
  expect(status, text).toBe(201);
  rule = body;
});
afterEach(() => bench.close());

const one = async (sql: string): Promise<Json> =>
  (await bench.pool.query<Json>(sql, [rule.id])).rows[0] as Json;
const message = () => one('SELECT * FROM alert_messages WHERE rule_id = $1 ORDER BY id DESC LIMIT 1');
const fails = (count = 1) =>
  bench.write(
    workspaceId,
    null,
    Array.from({ length: count }, () => ({
      runId: newId('run'),
      script: { id: 'scr_x', slug: 'report', name: 'Report' },
      error: 'exit code 3',
      durationMs: 1,
    })),
    'run.failed',
  );

/** Kills the service, and starts it again on what it has left. */
async function killed(): Promise<void> {
  const { dataDirectory, databaseUrl } = bench.gatehouse;
  await bench.gatehouse.kill();
  const started = await startGatehouse({
    dataDirectory,
    env: {
      DATABASE_URL: databaseUrl,
      GATEHOUSE_SIGNUP: 'open',
      GATEHOUSE_RATE_LIMIT: '0',
      GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1,::1',
      NODE_EXTRA_CA_CERTS: bench.caFile,
    },
  });
  bench.gatehouse = Object.assign(started, { databaseUrl });
}

describe('an alert whose process is killed', () => {
  it('between claim and answer does not come again within its window, and comes after it', async () => {
    receiver.answer = answerNothing;
    await fails();
    await receiver.until(1);
    const claimed = await message();
    expect(claimed).toMatchObject({ status: 'sending', attempts: 1 });
    expect((claimed.due_at as Date).getTime() - (claimed.attempted_at as Date).getTime()).toBe(600_000);
    await killed();
    await fails(2);
    await expect.poll(message).toMatchObject({ status: 'waiting', count: 2 });
    expect(receiver.received).toHaveLength(1);
    // The window is over.
    await bench.pool.query('UPDATE alert_rules SET next_message_at = now()');
    await bench.pool.query(`UPDATE alert_messages SET due_at = now() WHERE status = 'sending'`);
    receiver.answer = (response) => void response.writeHead(204).end();
    const [first, second] = (await receiver.until(2)) as [Json, Json];
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    await expect
      .poll(() =>
        one(`SELECT count(*)::int AS sent FROM alert_messages WHERE rule_id = $1 AND status = 'sent'`),
      )
      .toEqual({ sent: 1 });
  }, 200_000);

  it('counts each failure once, whenever that is', async () => {
    await fails();
    await receiver.until(1);
    for (let kill = 0; kill < 3; kill++) {
      await fails(500);
      await killed();
    }
    await expect.poll(message, { timeout: 120_000 }).toMatchObject({ status: 'waiting', count: 1500 });
    expect(await one('SELECT count(*)::int AS left FROM alert_sightings WHERE rule_id = $1')).toEqual({
      left: 0,
    });
  }, 300_000);

  it('tells of a success that did not come while nothing ran', async () => {
    const script = await api.post('/v1/scripts', { slug: 'nightly', name: 'Nightly' });
    expect(script.status).toBe(201);
    const made = await api.post('/v1/alerts', {
      name: 'Dead man',
      script: 'nightly',
      notSucceededFor: '1m',
      destination: { channel: 'webhook', url: receiver.url },
    });
    rule = made.body;
    await bench.gatehouse.kill();
    // A minute passes.
    await bench.pool.query(
      `UPDATE alert_rules SET last_success_at = now() - interval '2 minutes', deadline_at = now() - interval '1 minute' WHERE id = $1`,
      [rule.id],
    );
    await killed();
    const [{ event }] = (await receiver.until(1)) as [Json];
    expect(event.title).toBe('Nightly has not succeeded for 1m');
    expect((await one('SELECT deadline_at FROM alert_rules WHERE id = $1')).deadline_at).toBeNull();
    await killed();
    await expect
      .poll(() => one('SELECT count(*)::int AS told FROM alert_messages WHERE rule_id = $1'))
      .toEqual({ told: 1 });
  }, 200_000);
});
