// Running scripts over HTTP, reading runs, memory and start-up: each against a bare baseline in the same run.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import autocannon from 'autocannon';

import { createClient, freePort, startGatehouse } from '../../dist/libs/testing/index.js';
import { post } from './support/http.mjs';
import { Table, interleaved, median, throughput } from './support/measure.mjs';
import { bare, memoryOf, processorMs } from './support/processes.mjs';
import { expect, openWorkbench, publish, startBaseline } from './support/workbench.mjs';

const PYTHON = '/usr/bin/python3';
const ROUNDS = 60;
const REST_SECONDS = Number(process.env.BENCH_REST_SECONDS ?? 600);
const parts = new Set(process.argv.slice(2));
const wanted = (part) => parts.size === 0 || parts.has(part);

const table = new Table();
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-bare-'));
writeFileSync(join(folder, 'main.py'), 'pass\n');
writeFileSync(join(folder, 'index.mjs'), '0;\n');

if (['latency', 'handlers', 'kept', 'first-line', 'processor', 'throughput', 'get', 'list'].some(wanted)) {
  const bench = await openWorkbench({
    GATEHOUSE_RATE_LIMIT: '0',
    GATEHOUSE_RUN_CONCURRENCY: '8',
    GATEHOUSE_KEPT_MEMORY: '1024',
  });
  try {
    await publish(bench.api, 'python', 'main.py', 'pass\n', { command: 'python3 main.py' });
    await publish(bench.api, 'node', 'index.mjs', '0;\n', { command: 'node index.mjs' });
    if (wanted('latency')) await latency(bench);
    if (wanted('handlers')) await handlers(bench);
    if (wanted('kept')) await keptProcesses(bench);
    if (wanted('first-line')) await firstLine(bench);
    if (wanted('processor')) await processorTime(bench);
    if (wanted('throughput')) await runsPerSecond(bench);
    if (wanted('get')) await readingOneRun(bench);
    if (wanted('list')) await listingRuns(bench);
  } finally {
    await bench.close();
  }
}
if (wanted('imports')) await imports();
// Only where it is named, as it takes its rest.
if (parts.has('rest')) await afterRest();
if (wanted('start')) await memoryAndStart();
rmSync(folder, { recursive: true });
table.print();

async function run(bench, slug) {
  const { status, body } = await post(bench, `/v1/scripts/${slug}/runs`, '{}');
  const outcome = JSON.parse(body);
  if (status !== 200 || outcome.status !== 'succeeded') throw new Error(`The run: ${status} ${body}`);
  return outcome;
}

async function latency(bench) {
  const runtimes = [
    ['python', PYTHON, 'main.py', 1.0],
    ['node', process.execPath, 'index.mjs', 0.6],
  ];
  for (const [slug, binary, file, target] of runtimes) {
    const works = [() => bare(binary, [join(folder, file)]), () => run(bench, slug)];
    await interleaved(8, works);
    const [spawned, ran] = (await interleaved(ROUNDS, works)).map(median);
    const ratio = ran / spawned;
    const note = `${ran.toFixed(1)} ms against ${spawned.toFixed(1)} ms`;
    table.add(
      `trivial ${slug} run, p50 against a bare spawn`,
      `${ratio.toFixed(2)}×`,
      `≤ ${target}×`,
      ratio <= target,
      note,
    );
  }
}

/** Runs that call a function, against a bare spawn that does nothing. */
async function handlers(bench) {
  const inputSchema = { type: 'object' };
  for (const [slug, binary, file, baseline, source] of [
    ['python', PYTHON, 'main.py', 'main.py', 'def main(inputs, run):\n    return inputs\n'],
    ['node', process.execPath, 'main.mjs', 'index.mjs', 'export default (inputs) => inputs;\n'],
  ]) {
    const fields = { command: `${slug} ${file}`, handler: true, inputSchema };
    await publish(bench.api, `${slug}-handler`, file, source, fields);
    const works = [() => bare(binary, [join(folder, baseline)]), () => run(bench, `${slug}-handler`)];
    await interleaved(8, works);
    const [spawned, ran] = (await interleaved(ROUNDS, works)).map(median);
    const note = `${ran.toFixed(1)} ms against ${spawned.toFixed(1)} ms`;
    const what = `run that calls a function of ${slug}, p50 against a bare spawn`;
    table.add(what, `${(ran / spawned).toFixed(2)}×`, '≤ 1×', ran <= spawned, note);
  }
}

/** Runs that call a function in a process that stays, against a bare spawn that does nothing: one after another, and 8 at once. */
async function keptProcesses(bench) {
  const inputSchema = { type: 'object' };
  for (const [slug, binary, file, baseline, source] of [
    ['python', PYTHON, 'main.py', 'main.py', 'def main(inputs, run):\n    return inputs\n'],
    ['node', process.execPath, 'main.mjs', 'index.mjs', 'export default (inputs) => inputs;\n'],
  ]) {
    const fields = { command: `${slug} ${file}`, handler: true, keep: {}, inputSchema };
    await publish(bench.api, `${slug}-kept`, file, source, fields);
    const works = [() => bare(binary, [join(folder, baseline)]), () => run(bench, `${slug}-kept`)];
    await interleaved(8, works);
    const [spawned, ran] = (await interleaved(ROUNDS, works)).map(median);
    const note = `${ran.toFixed(1)} ms against ${spawned.toFixed(1)} ms`;
    const what = `run in a process of ${slug} that stays, p50 against a bare spawn`;
    table.add(what, `${(ran / spawned).toFixed(2)}×`, '≤ 1×', ran <= spawned, note);
    await throughput(works[1], 8, 2000);
    const rounds = [];
    for (let round = 0; round < 3; round++)
      rounds.push([await throughput(works[0], 8, 3000), await throughput(works[1], 8, 3000)]);
    const [bareAtOnce, atOnce] = [0, 1].map((index) => median(rounds.map((round) => round[index])));
    const ratio = atOnce / bareAtOnce;
    const each = `${atOnce.toFixed(0)}/s against ${bareAtOnce.toFixed(0)}/s`;
    const name = `runs/s at 8 in processes of ${slug} that stay, against bare spawns/s at 8`;
    table.add(name, ratio.toFixed(2), '≥ 1', ratio >= 1, each);
  }
}

/**
 * Scripts whose imports take most of their time, from the second run on, against a bare spawn that imports the same. Both install
 * the package from the machine's registry.
 */
async function imports() {
  const layer = mkdtempSync(join(tmpdir(), 'gatehouse-bench-layer-'));
  const bench = await openWorkbench({
    GATEHOUSE_RATE_LIMIT: '0',
    GATEHOUSE_RUN_CONCURRENCY: '8',
    GATEHOUSE_TEMPLATES: 'on',
  });
  try {
    for (const [slug, target, atOnce] of [
      ['requests', 0.35, null],
      ['pandas', 0.15, 5],
    ]) {
      const code = `import ${slug}\nprint(1)\n`;
      const script = join(layer, `imports-${slug}.py`);
      const home = join(layer, slug);
      writeFileSync(script, code);
      await bare(PYTHON, ['-m', 'pip', 'install', '-q', '--target', home, slug], { env: process.env });
      await publish(bench.api, slug, 'main.py', code, { command: 'python3 main.py' }, `${slug}\n`);
      const works = [() => bare(PYTHON, [script], { env: { PYTHONPATH: home } }), () => run(bench, slug)];
      await interleaved(8, works);
      const [spawned, ran] = (await interleaved(ROUNDS, works)).map(median);
      const note = `${ran.toFixed(1)} ms against ${spawned.toFixed(1)} ms`;
      const ratio = ran / spawned;
      const what = `run that imports ${slug}, p50 against a bare spawn`;
      table.add(what, `${ratio.toFixed(2)}×`, `≤ ${target}×`, ratio <= target, note);
      if (atOnce !== null) await importsAtOnce(slug, works, atOnce);
    }
  } finally {
    await bench.close();
    rmSync(layer, { recursive: true });
  }
}

async function importsAtOnce(slug, [bareSpawn, forkedRun], target) {
  await throughput(forkedRun, 8, 5000);
  const spawned = await throughput(bareSpawn, 8, 5000);
  const ran = await throughput(forkedRun, 8, 5000);
  const note = `${ran.toFixed(1)}/s against ${spawned.toFixed(1)}/s`;
  const what = `runs/s that import ${slug} at 8 against bare spawns/s at 8`;
  table.add(what, (ran / spawned).toFixed(1), `≥ ${target}`, ran / spawned >= target, note);
}

/** The first run of a service that had nothing to do, against the median of those that follow. Each service rests once, four beside each other. */
async function afterRest() {
  const benches = [];
  try {
    for (let number = 0; number < 4; number++) {
      const bench = await openWorkbench({ GATEHOUSE_RATE_LIMIT: '0' });
      benches.push(bench);
      await publish(bench.api, 'python', 'main.py', 'pass\n', { command: 'python3 main.py' });
    }
    for (const bench of benches) await interleaved(ROUNDS, [() => run(bench, 'python')]);
    await sleep(REST_SECONDS * 1000);
    const [first, warm] = [[], []];
    for (const bench of benches) {
      const [[ms, ...after]] = await interleaved(ROUNDS, [() => run(bench, 'python')]);
      first.push(ms);
      warm.push(median(after));
    }
    const ratio = median(first.map((ms, index) => ms / warm[index]));
    const inWords = (times) => times.map((ms) => ms.toFixed(1)).join(', ');
    const note = `${inWords(first)} ms against ${inWords(warm)} ms`;
    const what = `first run after ${REST_SECONDS} s of rest, against warm ones`;
    table.add(what, `${ratio.toFixed(2)}×`, '≤ 1.3×', ratio <= 1.3, note);
  } finally {
    for (const bench of benches) await bench.close();
  }
}

/** The script says itself when it begins. */
async function firstLine(bench) {
  await publish(bench.api, 'clock', 'main.py', 'import time\nprint(time.time())\n', {
    command: 'python3 main.py',
  });
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const asked = performance.timeOrigin + performance.now();
    const { output } = await run(bench, 'clock');
    if (round >= 8) times.push(Number(output) * 1000 - asked);
    await sleep(40);
  }
  const ms = median(times);
  table.add('request to the first line, p50', `${ms.toFixed(1)} ms`, '≤ 10 ms', ms <= 10);
}

/** Of everything that a run needs: the service, its database, the box, and the interpreter that is started for the next run. */
async function processorTime(bench) {
  const pids = [bench.gatehouse.process.pid, bench.postgresPid];
  for (const [slug, binary, file, target] of [
    ['python', PYTHON, 'main.py', 1.2],
    ['node', process.execPath, 'index.mjs', 1.2],
  ]) {
    const spent = [processorMs([process.pid])];
    for (let round = 0; round < ROUNDS; round++) await bare(binary, [join(folder, file)]);
    spent.push(processorMs([process.pid]), processorMs(pids));
    for (let round = 0; round < ROUNDS; round++) await run(bench, slug);
    await sleep(500);
    spent.push(processorMs(pids));
    const [spawned, ran] = [(spent[1] - spent[0]) / ROUNDS, (spent[3] - spent[2]) / ROUNDS];
    const note = `${ran.toFixed(1)} ms against ${spawned.toFixed(1)} ms`;
    const what = `processor time of a ${slug} run against a bare spawn`;
    table.add(what, `${(ran / spawned).toFixed(2)}×`, `≤ ${target}×`, ran / spawned <= target, note);
  }
}

async function runsPerSecond(bench) {
  for (const [slug, binary, file, target] of [
    ['python', PYTHON, 'main.py', 0.9],
    ['node', process.execPath, 'index.mjs', 1.0],
  ]) {
    const spawned = [];
    const ran = [];
    await throughput(() => run(bench, slug), 8, 2000);
    for (let round = 0; round < 4; round++) {
      spawned.push(await throughput(() => bare(binary, [join(folder, file)]), 8, 3000));
      ran.push(await throughput(() => run(bench, slug), 8, 3000));
    }
    const ratio = median(ran) / median(spawned);
    const note = `${median(ran).toFixed(0)}/s against ${median(spawned).toFixed(0)}/s`;
    const what = `${slug} runs/s at 8 against bare spawns/s at 8`;
    table.add(what, ratio.toFixed(2), `≥ ${target}`, ratio >= target, note);
  }
}

async function readingOneRun(bench) {
  const made = expect(await bench.api.post('/v1/scripts/python/runs', {}), 200);
  // The limiter is on, and so generous that it never refuses.
  const limited = await startGatehouse({
    env: {
      DATABASE_URL: bench.url,
      GATEHOUSE_ROLE: 'api',
      GATEHOUSE_RATE_LIMIT: '100000000',
      GATEHOUSE_RATE_BURST: '10000',
    },
  });
  const baseline = await startBaseline(bench.url);
  try {
    const headers = {
      authorization: `Bearer ${bench.workspace.owner.token}`,
      'x-workspace': bench.workspace.slug,
    };
    const ours = { url: `${limited.baseUrl}/v1/runs/${made.id}`, headers };
    const theirs = { url: `http://127.0.0.1:${baseline.port}/runs/${made.id}` };
    for (const target of [theirs, ours]) await load(target, 3);
    const rates = [[], []];
    for (let round = 0; round < 4; round++) {
      for (const [index, target] of [theirs, ours].entries()) rates[index].push(await load(target, 4));
    }
    const [bareRate, rate] = rates.map(median);
    const note = `${rate.toFixed(0)}/s against ${bareRate.toFixed(0)}/s`;
    table.add(
      'GET of one run, req/s against bare Express + pg',
      (rate / bareRate).toFixed(2),
      '≥ 0.5',
      rate / bareRate >= 0.5,
      note,
    );
  } finally {
    baseline.stop();
    await limited.stop();
  }
}

async function load(target, seconds) {
  const result = await autocannon({ ...target, connections: 16, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} responses were not 2xx`);
  return result.requests.average;
}

async function listingRuns(bench) {
  const few = await workspaceWithRuns(bench, 'few', 1_000);
  const many = await workspaceWithRuns(bench, 'many', 1_000_000);
  await bench.pool.query('VACUUM ANALYZE runs');
  const page = (api) => async () => expect(await api.get('/v1/runs'), 200);
  await interleaved(20, [page(few), page(many)]);
  const [short, long] = (await interleaved(200, [page(few), page(many)])).map(median);
  const note = `${long.toFixed(2)} ms against ${short.toFixed(2)} ms`;
  table.add(
    'page 1 of 1,000,000 runs against 1,000',
    `${(long / short).toFixed(2)}×`,
    '≤ 1.5×',
    long / short <= 1.5,
    note,
  );
}

/** A workspace with that many finished runs of one script, written by the database itself. */
async function workspaceWithRuns({ gatehouse, pool, workspace }, slug, count) {
  const session = createClient({ baseUrl: gatehouse.baseUrl, cookie: workspace.owner.cookie });
  expect(await session.post('/v1/workspaces', { name: slug, slug }), 201);
  const api = createClient({ baseUrl: gatehouse.baseUrl, token: workspace.owner.token, workspace: slug });
  await publish(api, 'script', 'main.py', 'pass\n', { command: 'python3 main.py' });
  await pool.query(
    `INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status,
       phase, inputs, by_agent,
       interface, test, started_at, finished_at, duration_ms)
     SELECT 'run_00' || substr(md5($1), 1, 4) || lpad(n::text, 20, '0'), w.id, e.id, s.id, s.slug, v.id, v.number, 'succeeded', 'finished', '{}', false,
       'api', false, now(), now(), 12
     FROM workspaces w JOIN environments e ON e.workspace_id = w.id JOIN scripts s ON s.workspace_id = w.id
       JOIN script_versions v ON v.script_id = s.id, generate_series(1, $2::int) AS n
     WHERE w.slug = $1`,
    [slug, count],
  );
  return api;
}

async function memoryAndStart() {
  const data = mkdtempSync(join(tmpdir(), 'gatehouse-bench-data-'));
  try {
    const first = await npmStart(data);
    await sleep(60_000);
    const { megabytes, processes } = await memoryOf(first.child.pid, data);
    await first.stop();
    table.add(
      'idle memory, PostgreSQL included',
      `${megabytes.toFixed(0)} MB`,
      '≤ 400 MB',
      megabytes <= 400,
      `PSS of ${processes} processes, npm's own included`,
    );
    const second = await npmStart(data);
    await second.stop();
    const seconds = second.readyMs / 1000;
    table.add('second npm start to ready', `${seconds.toFixed(1)} s`, '≤ 6 s', seconds <= 6);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

async function npmStart(data) {
  const port = await freePort();
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    env: { ...process.env, PORT: String(port), GATEHOUSE_DATA: data },
    stdio: 'ignore',
    detached: true,
  });
  while ((await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error('npm start ended before it was ready');
    await sleep(25);
  }
  const stop = async () => {
    const ended = new Promise((done) => child.once('exit', done));
    process.kill(-child.pid, 'SIGINT');
    await ended;
  };
  return { child, readyMs: performance.now() - began, stop };
}
