import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { archiveOf, finished, newVersion, python, run, runUntil } from '../support/scripts.js';
import { WebhookBench } from '../support/webhooks.js';

const PLANS = {
  small: { limits: { maxMemory: 600, maxCpus: 0.5, maxProcesses: 200, maxTimeout: 60 } },
  slow: { limits: { maxCpus: 0.2 } },
};
/** Everything is beyond the small plan. */
const LARGE = { timeout: 90, resources: { memory: 700, cpus: 1, processes: 300 } };

let bench: WebhookBench;

beforeAll(async () => {
  bench = await WebhookBench.start({ GATEHOUSE_PLANS: JSON.stringify(PLANS) });
});
afterAll(() => bench?.close());

const setPlan = (ws: TestWorkspace, plan: string): Promise<unknown> =>
  bench.pool.query('UPDATE workspaces SET plan = $2 WHERE id = $1', [ws.id, plan]);

async function workspaceOn(plan: string): Promise<{ ws: TestWorkspace; api: Client }> {
  const ws = await bench.workspace();
  await setPlan(ws, plan);
  return { ws, api: bench.client(ws) };
}

const said = ({ status, body }: Answer): unknown[] => [status, body.error?.code, body.error?.message];

describe('a version', () => {
  it('asks for no more than the plan allows, or is refused with each field and what to do', async () => {
    const { api } = await workspaceOn('small');
    const { slug } = await python(api, 'print(1)', {
      timeout: 60,
      resources: { memory: 600, cpus: 0.5, processes: 200 },
    });
    const archive = await archiveOf({ 'main.py': 'print(1)' });
    for (const path of [`/v1/scripts/${slug}/versions`, `/v1/scripts/${slug}/trials`]) {
      const refused = await api.post(path, { archive, ...LARGE });
      expect(refused.status, refused.text).toBe(400);
      const details = refused.body.error.details as Json[];
      expect(details.map((detail) => detail.path)).toEqual([
        'resources.memory',
        'resources.cpus',
        'resources.processes',
        'timeout',
      ]);
      expect(details[0]!.message).toBe(
        'must not be greater than 600: the plan of the workspace allows a run no more MiB of memory; ask for less, or the operator for another plan',
      );
    }
    expect((await api.get(`/v1/scripts/${slug}/versions`)).body.items).toHaveLength(1);
  });

  it('of a larger plan is neither published nor run any more, and both say why', async () => {
    const { ws, api } = await workspaceOn('default');
    const script = await python(api, 'print(1)', LARGE);
    const second = await newVersion(api, script.slug, { 'main.py': 'print(2)' }, LARGE);
    await setPlan(ws, 'small');
    const excess = [
      403,
      'quota_exceeded',
      'The plan allows a run 600 MiB of memory, and the version asks for 700 (resources.memory). Publish one that asks for less, or ask the operator for another plan.',
    ];
    expect(said(await run(api, script))).toEqual(excess);
    const path = `/v1/scripts/${script.slug}/publish`;
    expect(said(await api.post(path, { version: second.number }))).toEqual(excess);
    const less = await newVersion(api, script.slug, { 'main.py': 'print(3)' });
    expect((await api.post(path, { version: less.number })).status).toBe(200);
    expect((await run(api, script)).body).toMatchObject({ status: 'succeeded', output: 3 });
    await setPlan(ws, 'default');
    expect((await api.post(path, { version: second.number })).status).toBe(200);
  });

  it('that names no processors gets as many as the plan allows', async () => {
    const { api } = await workspaceOn('slow');
    const busy = await python(
      api,
      `import time
began = time.monotonic()
while time.process_time() < 0.4:
    pass
print(int(time.monotonic() - began > 1))`,
    );
    const { body } = await run(api, busy);
    expect((await runUntil(api, body.id as string, finished)).output).toBe(1);
  });
});

describe('the usage of a workspace', () => {
  it('says what each run may use', async () => {
    const { ws, api } = await workspaceOn('small');
    const eachRun = async (): Promise<unknown> => (await api.get('/v1/workspace/usage')).body.eachRun;
    expect(await eachRun()).toEqual(PLANS.small.limits);
    await setPlan(ws, 'slow');
    expect(await eachRun()).toEqual({ maxMemory: null, maxCpus: 0.2, maxProcesses: null, maxTimeout: null });
  });
});
