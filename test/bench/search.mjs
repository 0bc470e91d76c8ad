// Looking for runs by words, labels and durations in a workspace with a million of them.
import { setTimeout as sleep } from 'node:timers/promises';

import { Table, interleaved, median, quantile } from './support/measure.mjs';
import { expect, openWorkbench, publish } from './support/workbench.mjs';

const RUNS = 1_000_000;
const READ = 20_000;
const ROUNDS = 40;
const MOST_MS = 300;

/** What is looked for, and how many runs have it. */
const SEARCHES = [
  ['a word of half of the runs', 'q=ordinary'],
  ['the beginning of such a word', 'q=ordi'],
  ['a word of 500 runs', 'q=seldom'],
  ['a word of 7 runs', 'q=unique'],
  ['a word of no run', 'q=nowhere'],
  ['two words of half of the runs each, together of none', 'q=even+odd'],
  ['a common word and a rare one', 'q=ordinary+unique'],
  ['a word of the oldest 20,000 runs', 'q=ancient'],
  ['a common word among failed runs', 'q=ordinary&status=failed'],
  ['a common word of a script with 1,000 runs', 'q=ordinary&script=small'],
  ['a label of all runs', 'label=customer'],
  ['a label of 1,000 runs', 'label=customer%3Dc7'],
  ['a label of 10 runs', 'label=batch%3Db7'],
  ['two statuses', 'status=failed%2Ccancelled'],
  ['the longest 100 runs', 'minSeconds=1000'],
];

const table = new Table();
const bench = await openWorkbench({ GATEHOUSE_RATE_LIMIT: '0' });
try {
  await fill(bench);
  for (const [what, query] of SEARCHES) await measure(bench, what, query);
  await reading(bench);
} finally {
  await bench.close();
}
table.print();

async function measure({ api }, what, query) {
  const page = async (cursor = '') => expect(await api.get(`/v1/runs?${query}${cursor}`), 200);
  const next = async () => {
    const { nextCursor } = await page();
    if (nextCursor !== null) await page(`&cursor=${nextCursor}`);
  };
  const { items } = await page();
  const [first] = await interleaved(ROUNDS, [page]);
  await interleaved(3, [next]);
  const p95 = quantile(first, 0.95);
  const note = `p50 ${median(first).toFixed(1)} ms, ${items.length} on page 1`;
  table.add(what, `p95 ${p95.toFixed(1)} ms`, `≤ ${MOST_MS} ms`, p95 <= MOST_MS, note);
}

/** How soon the words of many runs are read that end at once. */
async function reading({ api, pool }) {
  const count = async () => (await pool.query('SELECT count(*)::int AS left FROM unread_runs')).rows[0].left;
  while ((await count()) > 0) await sleep(100);
  await pool.query(
    `INSERT INTO unread_runs (id, run_ids) SELECT gen_random_uuid(), array_agg(id) FROM (
       SELECT id, row_number() OVER (ORDER BY id DESC) AS n FROM runs ORDER BY id DESC LIMIT $1) AS r GROUP BY n / 100`,
    [READ],
  );
  const began = performance.now();
  // Whoever reads them is woken by another one.
  expect(await api.post('/v1/scripts/small/runs', {}), 200);
  while ((await count()) > 0) await sleep(50);
  const perSecond = (READ * 1000) / (performance.now() - began);
  table.add(
    `words of ${READ} runs, read`,
    `${perSecond.toFixed(0)} runs/s`,
    '≥ 500 runs/s',
    perSecond >= 500,
  );
}

/** Runs as they are some seconds after their end, written by the database itself. */
async function fill({ api, pool, workspace }) {
  for (const slug of ['large', 'small']) await publish(api, slug, 'main.py', 'print(1)');
  const began = performance.now();
  await pool.query(
    `INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status, phase, inputs, output,
       error, started_by_user_id, by_agent, interface, test, labels, execution_started_at, finished_at, duration_ms)
     SELECT 'run_0bench' || lpad(n::text, 20, '0'), s.workspace_id, e.id, s.id, s.slug, v.id, 1,
       CASE WHEN n % 20 = 0 THEN 'failed' WHEN n % 500 = 1 THEN 'cancelled' ELSE 'succeeded' END, 'finished',
       json_build_object('order', n), json_build_object('total', n % 1000),
       CASE WHEN n % 20 = 0 THEN 'exit code 1: TimeoutError: no answer from host ' || n % 100 END,
       $3, false, 'api', false, jsonb_build_object('customer', 'c' || n % 1000) || CASE WHEN n % 2 = 0 THEN jsonb_build_object('batch', 'b' || n / 20) ELSE '{}' END,
       now(), now(), CASE WHEN n % 10000 = 0 THEN 2000000 ELSE n % 60000 END
     FROM generate_series(1, $2::int) AS n
       JOIN scripts s ON s.workspace_id = $1 AND s.slug = CASE WHEN n % 1000 = 0 THEN 'small' ELSE 'large' END
       JOIN script_versions v ON v.script_id = s.id
       JOIN environments e ON e.workspace_id = $1 AND e.name = 'production'`,
    [workspace.id, RUNS, workspace.owner.id],
  );
  await pool.query(
    `INSERT INTO run_words (run_id, words)
     SELECT r.id, array_to_tsvector(array_remove(ARRAY[r.id, 'order', 'total', 'customer', n::text, (n % 1000)::text, 'c' || n % 1000,
       CASE WHEN n % 4 < 2 THEN 'ordinary' END, CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END,
       CASE WHEN n % 2000 = 3 THEN 'seldom' END, CASE WHEN n % 142000 = 9 THEN 'unique' END, CASE WHEN n < 20000 THEN 'ancient' END,
       CASE WHEN n % 20 = 0 THEN 'timeouterror' END, 'w' || md5(n::text), 'v' || n % 5003, 'u' || n % 101], NULL))
     FROM (SELECT id, substr(id, 11)::int AS n FROM runs WHERE workspace_id = $1) AS r ORDER BY r.id`,
    [workspace.id],
  );
  await pool.query('VACUUM ANALYZE runs');
  await pool.query('VACUUM ANALYZE run_words');
  const { rows } = await pool.query(`SELECT pg_size_pretty(pg_total_relation_size('run_words')) AS words`);
  console.log(
    `      ${RUNS} runs in ${((performance.now() - began) / 1000).toFixed(0)} s, their words take ${rows[0].words}`,
  );
}
