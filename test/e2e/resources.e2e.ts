import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Answer,
  type Client,
  createClient,
  type GatehouseProcess,
  type Json,
  Seed,
} from '../../libs/testing/index.js';
import { client, newWorkspace, startGatehouse } from '../support/gatehouse.js';
import { archiveOf, finished, python, run, runUntil } from '../support/scripts.js';

let api: Client;

beforeAll(async () => {
  const { owner, slug } = await newWorkspace();
  api = client({ token: owner.token, workspace: slug });
});

async function ended(by: Client, source: string, fields: Json): Promise<Json> {
  const script = await python(by, source, fields);
  const { body } = await run(by, script);
  return runUntil(by, body.id as string, finished);
}

async function refusal(fields: Json): Promise<Answer> {
  const { slug } = await python(api, 'print(1)');
  const archive = await archiveOf({ 'main.py': 'print(1)' });
  return api.post(`/v1/scripts/${slug}/versions`, { archive, ...fields });
}

const taking = (mebibytes: number): string => `print(len(bytearray(${mebibytes} * 1024 * 1024)) >> 20)`;

describe('What a run may use', () => {
  it('is what its version asks for', async () => {
    const more = await ended(api, taking(700), { resources: { memory: 1024 } });
    expect([more.status, more.output]).toEqual(['succeeded', 700]);
    const less = await ended(api, taking(200), { resources: { memory: 128 } });
    expect([less.status, less.error]).toEqual(['failed', 'ran out of memory (128 MiB)']);
    const usual = await ended(api, taking(700), {});
    expect([usual.status, usual.error]).toEqual(['failed', 'ran out of memory (512 MiB)']);
  });

  it('are processes, processors and room in /tmp as well', async () => {
    const forking = `
import os, signal
pids = []
try:
    while len(pids) < 300:
        pid = os.fork()
        if pid == 0:
            signal.pause()
        pids.append(pid)
except BlockingIOError:
    pass
for pid in pids:
    os.kill(pid, 9)
print(len(pids))`;
    const few = await ended(api, forking, { resources: { processes: 16 } });
    expect([few.status, few.output]).toEqual(['succeeded', 15]);
    const many = await ended(api, forking, { resources: { processes: 400 } });
    expect([many.status, many.output]).toEqual(['succeeded', 300]);

    const filling = `
try:
    with open("/tmp/full", "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
            file.flush()
except OSError:
    pass
import os
print(os.path.getsize("/tmp/full") >> 20)`;
    const small = await ended(api, filling, { resources: { tmp: 8 } });
    expect([small.status, small.output]).toEqual(['succeeded', 8]);

    const busy = `
import time
began = time.monotonic()
while time.process_time() < 0.4:
    pass
print(int(time.monotonic() - began > 1))`;
    const slow = await ended(api, busy, { resources: { cpus: 0.2 } });
    expect([slow.status, slow.output]).toEqual(['succeeded', 1]);
  });

  it('is named where a run ends at it', async () => {
    const resources = { tmp: 8, processes: 20 };
    const full = await ended(api, 'open("/tmp/full", "wb").write(bytes(9 << 20))', { resources });
    expect(full.error).toBe(
      'exit code 1: OSError: [Errno 28] No space left on device (its /tmp holds 8 MiB)',
    );
    const forking = 'import os, time\nwhile os.fork(): pass\ntime.sleep(60)';
    const crowded = await ended(api, forking, { resources });
    expect(crowded.error).toBe(
      'exit code 1: BlockingIOError: [Errno 11] Resource temporarily unavailable (it may have 20 processes and threads)',
    );
  });

  it('is said of what it has used', async () => {
    const idle = await ended(api, 'print(1)', {});
    const source = `
import time
held = bytearray(300 * 1024 * 1024)
while time.process_time() < 0.5:
    pass`;
    const busy = await ended(api, source, {});
    expect(idle.cpuMs).toBeLessThan(busy.cpuMs as number);
    expect(busy.cpuMs).toBeGreaterThanOrEqual(500);
    expect(idle.peakMemoryBytes).toBeLessThan(100 << 20);
    expect(busy.peakMemoryBytes).toBeGreaterThan(300 << 20);
    expect(busy.peakMemoryBytes).toBeLessThan(400 << 20);
    const child =
      'import subprocess\nsubprocess.run(["sh", "-c", "exit 3"])\nsubprocess.run(["python3", "-c", "bytearray(200 << 20)"])';
    const waited = await ended(api, child, {});
    expect(waited.peakMemoryBytes).toBeGreaterThan(200 << 20);
  });

  it('is shown with what is as usual, and as nothing where all is', async () => {
    const script = await python(api, 'print(1)', { resources: { memory: 100, cpus: 1.5 } });
    const { body } = await api.get(`/v1/scripts/${script.slug}/versions/1`);
    expect(body.resources).toEqual({ memory: 100, cpus: 1.5, processes: 128, tmp: 100 });
    const usual = await python(api, 'print(1)', { resources: null });
    expect((await api.get(`/v1/scripts/${usual.slug}/versions/1`)).body.resources).toBeNull();
  });

  it.each([
    [{ memory: 63 }, 'resources.memory', 'must be a whole number of MiB from 64 to 2048'],
    [{ memory: 2049 }, 'resources.memory', 'must be a whole number of MiB from 64 to 2048'],
    [{ memory: '1024' }, 'resources.memory', 'must be a whole number of MiB from 64 to 2048'],
    [{ memory: 512.5 }, 'resources.memory', 'must be a whole number of MiB from 64 to 2048'],
    [{ cpus: 0 }, 'resources.cpus', 'must be a number from 0.1 to 64, or null'],
    [{ cpus: '1' }, 'resources.cpus', 'must be a number from 0.1 to 64, or null'],
    [{ processes: 15 }, 'resources.processes', 'must be a whole number from 16 to 1024'],
    [{ processes: 1025 }, 'resources.processes', 'must be a whole number from 16 to 1024'],
    [{ tmp: 0 }, 'resources.tmp', 'must be a whole number of MiB from 1 to `memory`, which is 512'],
    [
      { memory: 64, tmp: 65 },
      'resources.tmp',
      'must be a whole number of MiB from 1 to `memory`, which is 64',
    ],
    [{ disk: 1 }, 'resources.disk', 'is not known'],
    ['much', 'resources', 'must be an object'],
    [[], 'resources', 'must be an object'],
  ])('is not %j', async (resources, path, message) => {
    const refused = await refusal({ resources });
    expect([refused.status, refused.body.error.details]).toEqual([400, [{ path, message }]]);
  });
});

describe('A worker', () => {
  let gatehouse: GatehouseProcess;
  let own: Client;
  /** One of a workspace, and owner, of its own. */
  let another: () => Promise<Client>;
  let pool: pg.Pool;

  beforeAll(async () => {
    const env = {
      GATEHOUSE_WORKER_MEMORY: '3072',
      GATEHOUSE_MAX_MEMORY: '4096',
      GATEHOUSE_MAX_TIMEOUT: '7200',
      GATEHOUSE_RUN_CONCURRENCY: '4',
      GATEHOUSE_SIGNUP: 'open',
      GATEHOUSE_RATE_LIMIT: '0',
    };
    const started = await startGatehouse({ env });
    gatehouse = started;
    pool = new pg.Pool({ connectionString: started.databaseUrl, max: 1, allowExitOnIdle: true });
    const seed = new Seed(started.baseUrl, pool);
    another = async () => {
      const { owner, slug } = await seed.workspace();
      return createClient({ baseUrl: started.baseUrl, token: owner.token, workspace: slug });
    };
    own = await another();
  });
  afterAll(async () => {
    await pool?.end();
    await gatehouse?.stop();
  });

  it('lets large runs begin one after the other where it has no memory for both, and small ones beside them', async () => {
    const clock = 'import time\nbegan = time.time()\ntime.sleep(3)\nprint([began, time.time()])';
    const large = await python(own, clock, { resources: { memory: 1536 } });
    const small = await python(own, clock);
    const started = await Promise.all([run(own, large), run(own, large), run(own, small)]);
    const spans = await Promise.all(
      started.map(async ({ body }) => (await runUntil(own, body.id as string, finished)).output as number[]),
    );
    const [first, second, beside] = spans.map(([began, over]) => ({ began: began!, over: over! }));
    const overlap = (one: typeof first, other: typeof first) =>
      one!.began < other!.over && other!.began < one!.over;
    expect(overlap(first, second)).toBe(false);
    expect(overlap(first, beside) || overlap(second, beside)).toBe(true);
  });

  it('gives the places of those that wait for memory to others, and says what they wait for', async () => {
    const fields = { timeout: 700, resources: { memory: 1536 } };
    const large: [by: Client, id: string][] = [];
    for (const [by, count] of [
      [own, 3],
      [await another(), 1],
    ] as const) {
      const slow = await python(by, 'import time; time.sleep(600)', fields);
      for (let i = 0; i < count; i++) large.push([by, (await run(by, slow)).body.id as string]);
    }
    await expect
      .poll(async () => {
        const rows = await Promise.all(large.map(async ([by, id]) => (await by.get(`/v1/runs/${id}`)).body));
        return rows.map(({ phase, waitsBecause = null }) => [phase, waitsBecause]).sort();
      })
      .toEqual([
        ['executing', null],
        ...Array.from({ length: 3 }, () => [
          'starting',
          'It asks for 1536 MiB of memory, and begins once its worker has as much to spare.',
        ]),
      ]);
    expect((await ended(await another(), 'print(1)', {})).status).toBe('succeeded');
    for (const [by, id] of large) await by.post(`/v1/runs/${id}/cancel`);
    for (const [by, id] of large) expect((await runUntil(by, id, finished)).status).toBe('cancelled');
  });

  it('can be told to cancel one that waits for memory', async () => {
    const slow = await python(own, 'import time; time.sleep(60)', {
      timeout: 90,
      resources: { memory: 1536 },
    });
    const first = (await run(own, slow)).body;
    await runUntil(own, first.id as string, ({ phase }) => phase === 'executing');
    const second = (await run(own, slow)).body;
    await runUntil(own, second.id as string, ({ phase }) => phase === 'starting');
    for (const { id } of [second, first]) {
      await own.post(`/v1/runs/${id}/cancel`);
      expect((await runUntil(own, id as string, finished)).status).toBe('cancelled');
    }
  });

  it('says at once that it has not as much', async () => {
    const failed = await ended(own, 'print(1)', { resources: { memory: 4096 } });
    expect([failed.status, failed.error]).toEqual([
      'failed',
      'the version asks for 4096 MiB of memory, and this worker has 3072',
    ]);
  });

  it('takes versions that may run for as long as the operator allows', async () => {
    const long = await python(own, 'print(1)', { timeout: 7200 });
    expect((await own.get(`/v1/scripts/${long.slug}/versions/1`)).body.timeoutSeconds).toBe(7200);
  });
});

it.each([901, 604_801, 1e9])(
  'no version takes %d seconds where the operator says nothing',
  async (timeout) => {
    const refused = await refusal({ timeout });
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      [{ path: 'timeout', message: 'must not be greater than 900' }],
    ]);
  },
);
