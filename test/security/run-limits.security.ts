import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, createClient, type Json, type TestWorkspace } from '../../libs/testing/index.js';
import { finished, newVersion, python, runUntil, type TestScript } from '../support/scripts.js';
import { WebhookBench } from '../support/webhooks.js';

const EXCESS = /^The plan allows a run 60 seconds, and the version asks for 90 \(timeout\)/;

let bench: WebhookBench;
let ws: TestWorkspace;
let api: Client;
let script: TestScript;

beforeAll(async () => {
  const plans = { small: { limits: { maxTimeout: 60 } } };
  bench = await WebhookBench.start({ GATEHOUSE_PLANS: JSON.stringify(plans) });
  ws = await bench.workspace();
  api = bench.client(ws);
  script = await python(api, 'print(1)', { timeout: 90, retry: { attempts: 1 } });
});
afterAll(() => bench?.close());

const setPlan = (plan: string): Promise<unknown> =>
  bench.pool.query('UPDATE workspaces SET plan = $2 WHERE id = $1', [ws.id, plan]);

/** What somebody does while the plan is large, and what they try once it is small. */
async function shrunk<T>(before: () => Promise<T>, after: (made: T) => Promise<unknown>): Promise<void> {
  await setPlan('default');
  const made = await before();
  await setPlan('small');
  await after(made);
}

const started = async (fields: object = {}): Promise<string> => {
  const { status, body, text } = await api.post(`/v1/scripts/${script.slug}/runs`, fields);
  expect(status, text).toBeLessThan(300);
  return body.id as string;
};

async function expectFailed(id: string): Promise<void> {
  const ended = await runUntil(api, id, finished);
  expect(ended).toMatchObject({ status: 'failed', error: expect.stringMatching(EXCESS), durationMs: null });
}

describe('a version of a larger plan gets no more than the plan allows now', () => {
  it.each([
    ['run', () => api.post(`/v1/scripts/${script.slug}/runs`, {})],
    ['test', () => api.post(`/v1/scripts/${script.slug}/versions/1/runs`, {})],
    ['batch', () => api.post(`/v1/scripts/${script.slug}/runs/batch`, { inputs: [{}] })],
  ])('by a %s', async (_, attempt) => {
    await shrunk(
      () => Promise.resolve(),
      async () => {
        const count = async () =>
          (await bench.pool.query('SELECT count(*)::int AS n FROM runs WHERE workspace_id = $1', [ws.id]))
            .rows;
        const before = await count();
        const { status, body } = await attempt();
        expect([status, body.error.code]).toEqual([403, 'quota_exceeded']);
        expect(body.error.message).toMatch(EXCESS);
        expect(await count()).toEqual(before);
      },
    );
  });

  it('by running again what ran before, alone or among many', async () => {
    await shrunk(
      async () => {
        const id = await started();
        await runUntil(api, id, finished);
        return id;
      },
      async (id) => {
        expect((await api.post(`/v1/runs/${id}/rerun`)).status).toBe(403);
        const { body } = await api.post('/v1/runs/rerun', { script: script.slug, limit: 1 });
        let operation: Json = {};
        await expect
          .poll(async () => {
            operation = (await api.get(`/v1/runs/operations/${body.id as string}`)).body;
            return operation.status as string;
          })
          .toBe('completed');
        expect(operation).toMatchObject({ done: 0, skipped: 1, failed: 0 });
        expect(operation.leftOut[0].reason).toMatch(EXCESS);
      },
    );
  });

  it('by having asked for the run before', async () => {
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    await shrunk(
      () => started({ startAt }),
      async (id) => {
        await bench.pool.query('UPDATE runs SET start_at = now() WHERE id = $1', [id]);
        await expectFailed(id);
      },
    );
  });

  it('by a trigger', async () => {
    await shrunk(
      async () => {
        const fields = { name: 'When', eventType: 'secret.updated' };
        const { status, body, text } = await api.post(`/v1/scripts/${script.slug}/triggers`, fields);
        expect(status, text).toBe(201);
        return body.id as string;
      },
      async (trigger) => {
        await bench.write(ws.id, ws.environmentId, [{ name: 'K', environment: 'production' }]);
        const runs = async (): Promise<Json[]> => (await api.get(`/v1/runs?triggerId=${trigger}`)).body.items;
        await expect.poll(async () => (await runs()).length).toBe(1);
        await expectFailed((await runs())[0]!.id as string);
        expect((await api.get(`/v1/triggers/${trigger}`)).body.enabled).toBe(true);
      },
    );
  });

  it('by an approval of it, or of a run that was held', async () => {
    const held = await python(api, 'print(1)', { timeout: 60 });
    await shrunk(
      async () => {
        const later = await newVersion(api, held.slug, { 'main.py': 'print(2)' }, { timeout: 90 });
        await api.post(`/v1/scripts/${held.slug}/publish`, { version: later.number });
        await api.patch(`/v1/scripts/${held.slug}`, { approvalPolicy: 'always' });
        const { body } = await api.post(`/v1/scripts/${held.slug}/runs`, {});
        expect(body.status).toBe('awaiting_approval');
        return body;
      },
      async ({ id, approvalRequestId }) => {
        const path = `/v1/workspace/approval-requests/${approvalRequestId as string}/approve`;
        const { baseUrl } = bench.gatehouse;
        const session = createClient({ baseUrl, cookie: ws.owner.cookie, workspace: ws.slug });
        const approved = await session.post(path, {});
        expect(approved.status, approved.text).toBeLessThan(300);
        await expectFailed(id as string);
      },
    );
  });
});
