import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Client, type GatehouseProcess, Seed, createClient } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { python, type TestScript } from '../support/scripts.js';

const STARTS = 100;
const INPUTS = { type: 'object', properties: { nth: { type: 'integer' } } };

let first: GatehouseProcess & { databaseUrl: string };
let others: GatehouseProcess[];
let pool: pg.Pool;
let clients: Client[];

beforeAll(async () => {
  // Nobody is there: what is written with each start is enough.
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
  const env = { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0', ...tracing };
  first = await startGatehouse({ env });
  const { dataDirectory, databaseUrl } = first;
  const another = { ...env, GATEHOUSE_ROLE: 'api', DATABASE_URL: databaseUrl };
  others = await Promise.all([1, 2].map(() => startGatehouse({ dataDirectory, env: another })));
  pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const { owner, slug } = await new Seed(first.baseUrl, pool).workspace();
  clients = [first, ...others].map(({ baseUrl }) =>
    createClient({ baseUrl, token: owner.token, workspace: slug }),
  );
});

afterAll(async () => {
  await pool.end();
  await Promise.all(others.map((one) => one.stop()));
  await first.stop();
});

const debounced = (wait: number): Promise<TestScript> =>
  python(clients[0]!, 'print(1)', { debounce: { wait }, inputSchema: INPUTS });

/** By the trace of a request an event tells which start it is of. */
const traceOf = (nth: number): string => nth.toString(16).padStart(32, 'a');

const start = (script: TestScript, nth: number) =>
  clients[nth % clients.length]!.post(
    `/v1/scripts/${script.slug}/runs`,
    { inputs: { nth } },
    { traceparent: `00-${traceOf(nth)}-00000000000000aa-01` },
  );

interface RunRow {
  id: string;
  status: string;
  phase: string;
  starts: number;
  inputs: { nth: number };
  audited: number;
}

async function runsOf(script: TestScript): Promise<RunRow[]> {
  const { rows } = await pool.query<RunRow>(
    `SELECT id, status, phase, debounce_starts AS starts, inputs,
       (SELECT count(*)::int FROM audit_events a WHERE a.target_id = r.id AND a.action = 'run.started') AS audited
     FROM runs r WHERE script_id = $1 ORDER BY id`,
    [script.id],
  );
  return rows;
}

it('a hundred starts at once in three processes are one run, with the inputs of the last that was committed', async () => {
  const script = await debounced(3_600);
  const answers = await Promise.all(Array.from({ length: STARTS }, (_, nth) => start(script, nth)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  const [run, ...more] = await runsOf(script);
  expect(more).toEqual([]);
  expect(run).toMatchObject({ phase: 'delayed', starts: STARTS, audited: STARTS });
  const { rows } = await pool.query<{ type: string; starts: number | null; traceparent: string }>(
    `SELECT type, (data->>'starts')::int AS starts, traceparent FROM events WHERE data->>'runId' = $1
     ORDER BY type DESC, starts`,
    [run!.id],
  );
  expect(rows.map(({ type }) => type)).toEqual([
    'run.started',
    ...Array.from({ length: STARTS - 1 }, () => 'run.debounced'),
  ]);
  // Each found the one before it.
  expect(rows.slice(1).map(({ starts }) => starts)).toEqual(
    Array.from({ length: STARTS - 1 }, (_, index) => index + 2),
  );
  expect(rows.at(-1)!.traceparent.split('-')[1]).toBe(traceOf(run!.inputs.nth));
});

it('no start is lost or counted twice while runs begin and a process is killed', async () => {
  const script = await debounced(1);
  const counted = new Map<string, number>();
  let next = 0;
  let isOver = false;
  const starter = async (): Promise<void> => {
    while (!isOver) {
      const { status, body } = await start(script, next++).catch(() => ({ status: 0, body: null }));
      // Who is killed may have written it without saying so.
      if (status !== 202) continue;
      const id = body!.id as string;
      counted.set(id, (counted.get(id) ?? 0) + 1);
    }
  };
  // Now and then one after the other, so that some begin in between.
  const bursts = Array.from({ length: 6 }, () => starter());
  await expect.poll(() => counted.size).toBeGreaterThan(1);
  await others[1]!.kill();
  const before = counted.size;
  await expect.poll(() => counted.size).toBeGreaterThan(before);
  isOver = true;
  await Promise.all(bursts);
  await expect
    .poll(async () => (await runsOf(script)).filter(({ phase }) => phase !== 'finished'))
    .toEqual([]);
  const runs = await runsOf(script);
  for (const run of runs) {
    expect(run).toMatchObject({ status: 'succeeded', starts: run.audited });
    expect(run.starts).toBeGreaterThanOrEqual(counted.get(run.id) ?? 0);
  }
  expect([...counted.keys()].filter((id) => !runs.some((run) => run.id === id))).toEqual([]);
}, 180_000);
