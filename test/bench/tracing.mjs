// Runs a second with traces on against off, all of them recorded, by two services that are asked in turns.
import { createServer } from 'node:http';

import { post } from './support/http.mjs';
import { Table, median, throughput } from './support/measure.mjs';
import { openWorkbench, publish } from './support/workbench.mjs';

const [rounds = 8] = process.argv.slice(2).map(Number);
const AT_ONCE = 8;
const ENV = { GATEHOUSE_RATE_LIMIT: '0', GATEHOUSE_RUN_CONCURRENCY: String(AT_ONCE) };

let spansOf = 0;
const collector = createServer((request, response) => {
  request.on('data', (chunk) => (spansOf += chunk.length)).on('end', () => response.end());
});
await new Promise((done) => collector.listen(0, '127.0.0.1', done));
const endpoint = `http://127.0.0.1:${collector.address().port}`;

const off = await openWorkbench(ENV);
const on = await openWorkbench({
  ...ENV,
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_TRACES_SAMPLER: 'always_on',
});
try {
  const table = new Table();
  for (const { api } of [off, on]) {
    await publish(api, 'python', 'main.py', 'pass\n', { command: 'python3 main.py' });
  }
  await compare(table, 'runs/s at 8', (bench) => run(bench), 3_000);
  await compare(table, 'reads of a page of runs/s at 8', (bench) => list(bench), 2_000);
  console.log(`The collector got ${(spansOf / 1024).toFixed(0)} KiB.`);
  table.print();
} finally {
  await on.close();
  await off.close();
  collector.close();
}

/** Each round asks both, the first one first in turns. */
async function compare(table, what, work, ms) {
  const rates = new Map([
    [off, []],
    [on, []],
  ]);
  for (const bench of [off, on]) await throughput(() => work(bench), AT_ONCE, 2_000);
  for (let round = 0; round < rounds; round++) {
    for (const bench of round % 2 ? [on, off] : [off, on]) {
      rates.get(bench).push(await throughput(() => work(bench), AT_ONCE, ms));
    }
  }
  const [without, with_] = [median(rates.get(off)), median(rates.get(on))];
  const ratio = with_ / without;
  const note = `${with_.toFixed(0)}/s against ${without.toFixed(0)}/s`;
  table.add(`${what}, traces on against off`, ratio.toFixed(3), '≥ 0.95', ratio >= 0.95, note);
}

async function run(bench) {
  const { status, body } = await post(bench, '/v1/scripts/python/runs', '{}');
  if (status !== 200) throw new Error(`The run: ${status} ${body}`);
}

async function list(bench) {
  const { owner, slug } = bench.workspace;
  const headers = { authorization: `Bearer ${owner.token}`, 'x-workspace': slug };
  const response = await fetch(`${bench.gatehouse.baseUrl}/v1/runs?limit=5`, { headers });
  if (response.status !== 200) throw new Error(`The list: ${response.status}`);
  await response.arrayBuffer();
}
