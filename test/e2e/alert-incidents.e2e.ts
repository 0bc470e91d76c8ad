import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { python } from '../support/scripts.js';
import { answering, type Receiver, WebhookBench } from '../support/webhooks.js';

const ALERTS = '/v1/alerts';

let bench: WebhookBench;

beforeAll(async () => {
  bench = await WebhookBench.start();
});
afterAll(() => bench?.close());

interface Scene {
  api: Client;
  receiver: Receiver;
  workspaceId: string;
  production: string;
  staging: string;
}

async function scene(): Promise<Scene> {
  const workspace = await bench.workspace();
  const api = bench.client(workspace);
  const { body, text } = await api.post('/v1/workspace/environments', { name: 'staging' });
  expect(body.id, text).toBeDefined();
  const { id: workspaceId, environmentId: production } = workspace;
  return { api, receiver: await bench.receiver(), workspaceId, production, staging: body.id as string };
}

async function pager({ api, receiver }: Scene, fields: object = {}): Promise<string> {
  const url = `https://localhost:${receiver.port}/v2/enqueue?routing_key=abc123`;
  const destination = { channel: 'pagerduty', url };
  const { body, text } = await api.post(ALERTS, {
    name: 'Pager',
    on: ['failed', 'recovered'],
    groupSeconds: 600,
    destination,
    ...fields,
  });
  expect(body.id, text).toMatch(/^alr_/);
  return body.id as string;
}

/** Runs of a script end so, one after the other. */
const end = (
  { workspaceId }: Scene,
  environmentId: string,
  script: string,
  ...types: ('failed' | 'succeeded')[]
) =>
  types.reduce(async (before, type) => {
    await before;
    const about = { id: `scr_${script}`, slug: script, name: script };
    const data = { runId: newId('run'), script: about, error: null, durationMs: 1 };
    await bench.write(workspaceId, environmentId, [data], `run.${type}`);
  }, Promise.resolve());

const sent = ({ receiver }: Scene): [action: string, key: string][] =>
  receiver.received.map(({ event }) => [event.event_action as string, event.dedup_key as string]);

const messages = async ({ api }: Scene, rule: string): Promise<Json[]> =>
  (await api.get(`${ALERTS}/${rule}/messages`)).body.items as Json[];

const beginWindows = (rule: string, ago = '0 s') =>
  bench.pool.query(
    `UPDATE alert_messages SET attempted_at = now() - $2::interval WHERE rule_id = $1 AND status = 'sent'`,
    [rule, ago],
  );

const endWindows = async (rule: string): Promise<void> => {
  await beginWindows(rule, '1 hour');
  await bench.pool.query(
    `UPDATE alert_messages SET due_at = now() WHERE rule_id = $1 AND status = 'waiting'`,
    [rule],
  );
};

/** All windows are over until there are so many messages, which begin new ones. */
const sentInAll = async (at: Scene, rule: string, count: number): Promise<void> => {
  await expect
    .poll(
      async () => {
        await endWindows(rule);
        return sent(at).length;
      },
      { timeout: 60_000 },
    )
    .toBe(count);
  await beginWindows(rule);
};

/** A message that waits has so many events. */
const waiting = (at: Scene, rule: string, count: number) =>
  expect
    .poll(async () => (await messages(at, rule)).filter(({ status }) => status === 'waiting'))
    .toMatchObject([{ count }]);

describe('an incident of PagerDuty', () => {
  it('is a script in an environment, which closes no other', async () => {
    const at = await scene();
    const rule = await pager(at);
    await end(at, at.production, 'import', 'failed');
    await end(at, at.production, 'export', 'failed');
    await end(at, at.staging, 'import', 'failed');
    const key = (script: string, environment: string) => `gatehouse-${rule}-scr_${script}/${environment}`;
    await at.receiver.until(3);
    expect(sent(at)).toEqual(
      expect.arrayContaining([
        ['trigger', key('import', at.production)],
        ['trigger', key('export', at.production)],
        ['trigger', key('import', at.staging)],
      ]),
    );
    await end(at, at.staging, 'import', 'succeeded');
    await waiting(at, rule, 1);
    await sentInAll(at, rule, 4);
    expect(sent(at).slice(3)).toEqual([['resolve', key('import', at.staging)]]);
  });

  it('is as it was last, however many events come within a window', async () => {
    const at = await scene();
    const rule = await pager(at);
    await end(at, at.production, 'import', 'failed');
    await at.receiver.until(1);
    await end(
      at,
      at.production,
      'import',
      ...Array.from({ length: 12 }, () => 'failed' as const),
      'succeeded',
    );
    await waiting(at, rule, 13);
    await sentInAll(at, rule, 2);
    expect(sent(at).map(([action]) => action)).toEqual(['trigger', 'resolve']);
    expect(at.receiver.received[1]!.event.payload.summary).toContain('import succeeded again');
    await end(at, at.production, 'import', 'failed', 'succeeded', 'failed');
    await waiting(at, rule, 3);
    await sentInAll(at, rule, 3);
    expect(sent(at)[2]![0]).toBe('trigger');
  });

  it('gets its messages in their order, also where one has to be repeated', async () => {
    const at = await scene();
    const rule = await pager(at, { groupSeconds: 10 });
    at.receiver.answer = answering(503);
    await end(at, at.production, 'import', 'failed');
    await expect.poll(async () => (await messages(at, rule))[0]?.error ?? null).not.toBeNull();
    at.receiver.answer = answering(200);
    await end(at, at.production, 'import', 'succeeded');
    await waiting(at, rule, 1);
    await bench.pool.query(
      `UPDATE alert_messages SET attempted_at = now() - interval '1 hour' WHERE rule_id = $1`,
      [rule],
    );
    await sentInAll(at, rule, 3);
    expect(sent(at).map(([action]) => action)).toEqual(['trigger', 'trigger', 'resolve']);
  });

  it('of a success that does not come ends with that, in whichever environment', async () => {
    const at = await scene();
    const script = await python(at.api, 'print(1)');
    const rule = await pager(at, { script: script.slug, notSucceededFor: '1h' });
    const { rows } = await bench.pool.query<{ id: string }>(
      `UPDATE alert_rules SET last_success_at = now() - interval '2 hours', deadline_at = now() - interval '1 hour'
       WHERE id = $1 RETURNING script_id AS id`,
      [rule],
    );
    const key = `gatehouse-${rule}-${rows[0]!.id}/`;
    await at.receiver.until(1);
    await end(at, at.staging, rows[0]!.id.slice('scr_'.length), 'succeeded');
    await waiting(at, rule, 1);
    await sentInAll(at, rule, 2);
    expect(sent(at)).toEqual([
      ['trigger', key],
      ['resolve', key],
    ]);
  });
});
