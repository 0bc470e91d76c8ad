// What a large database costs: ten million runs and deliveries, two million events and five million audit entries, against next
// to none, in two services side by side. `npm run bench -- growth 0.1` makes a tenth of them.
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { createClient } from '../../dist/libs/testing/index.js';
import { firstIdAt } from '../../dist/src/core/crypto/ids.js';
import { Table, interleaved, median, quantile } from './support/measure.mjs';
import { startReceivers } from './support/receivers.mjs';
import { expect, openWorkbench, publish } from './support/workbench.mjs';

const SHARE = Number(process.argv[2] ?? 1);
const RUNS = 10_000_000 * SHARE;
const DELIVERIES = 10_000_000 * SHARE;
const EVENTS = 2_000_000 * SHARE;
const AUDIT_ENTRIES = 5_000_000 * SHARE;
const EXPIRED_RUNS = 300_000 * SHARE;
/** Rows of a small installation, so that each list has its fiftieth page. */
const FEW = 6_000;
const DAYS = 25;
const PAGES = 50;
const ROUNDS = 40;
const MOST = 1.2;

const table = new Table();
const receivers = await startReceivers(2);
const benches = [await open(), await open()];
try {
  const places = [];
  for (const [index, bench] of benches.entries()) places.push(await furnish(bench, index));
  await fill(benches[0], places[0], FEW / RUNS);
  await fill(benches[1], places[1], 1);
  for (const [what, path] of lists()) await comparePages(what, path, places);
  for (const [what, work] of works())
    await compare(
      what,
      places.map((place) => () => work(place)),
    );
  await expire(benches[1], places[1]);
  await vacuum(benches[1]);
} finally {
  for (const bench of benches) await bench.close();
  receivers.stop();
}
table.print();

function open() {
  return openWorkbench({
    GATEHOUSE_RATE_LIMIT: '0',
    GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: receivers.caFile,
  });
}

/** A script, an endpoint, and whoever asks. */
async function furnish({ api, gatehouse, workspace }, index) {
  await publish(api, 'trivial', 'main.py', '', { command: 'true' });
  const url = `https://localhost:${receivers.ports[index]}/hook`;
  const session = createClient({
    baseUrl: gatehouse.baseUrl,
    cookie: workspace.owner.cookie,
    workspace: workspace.slug,
  });
  const { endpoint } = expect(await session.post('/v1/workspace/webhook-endpoints', { url }), 201);
  return { api, session, index, endpoint: endpoint.id };
}

function lists() {
  return [
    ['runs', () => '/v1/runs?'],
    ['failed runs', () => '/v1/runs?status=failed&'],
    ['runs of a script', () => '/v1/runs?script=trivial&'],
    ['deliveries', ({ endpoint }) => `/v1/workspace/webhook-endpoints/${endpoint}/deliveries?`],
    ['audit entries', () => '/v1/workspace/audit-events?'],
  ];
}

function works() {
  const since = new Date(Date.now() - 20 * 86_400_000).toISOString();
  return [
    [
      'a trivial run, from its start to its end',
      async ({ api }) => expect(await api.post('/v1/scripts/trivial/runs', {}), 200),
    ],
    ['an event, from its change to its receiver', (place) => deliver(place)],
    [
      'statistics of 20 days',
      async ({ api }) => expect(await api.get(`/v1/runs/statistics?by=day&since=${since}`), 200),
    ],
    ['scripts with their counts', async ({ api }) => expect(await api.get('/v1/scripts'), 200)],
  ];
}

async function deliver(place) {
  await receivers.reset();
  place.toggled = !place.toggled;
  const approvalPolicy = place.toggled ? 'agents' : 'none';
  expect(await place.api.patch('/v1/workspace/environments/production', { approvalPolicy }), 200);
  await receivers.until(1);
}

async function comparePages(what, pathOf, places) {
  const pages = (cursorOf) =>
    places.map((place) => {
      const path = `${pathOf(place)}limit=50${cursorOf(place)}`;
      return async () => expect(await place.session.get(path), 200);
    });
  await compare(
    `${what}, the first page`,
    pages(() => ''),
  );
  for (const place of places) {
    place.cursor = '';
    for (let page = 1; page < PAGES; page++) {
      const { nextCursor } = expect(await place.session.get(`${pathOf(place)}limit=50${place.cursor}`), 200);
      if (nextCursor === null) break;
      place.cursor = `&cursor=${nextCursor}`;
    }
  }
  await compare(
    `${what}, page ${PAGES}`,
    pages(({ cursor }) => cursor),
  );
}

async function compare(what, [few, many]) {
  await interleaved(5, [few, many]);
  const [small, large] = (await interleaved(ROUNDS, [few, many])).map(median);
  const ratio = large / small;
  const note = `${large.toFixed(1)} ms against ${small.toFixed(1)} ms`;
  table.add(what, `${ratio.toFixed(2)}×`, `≤ ${MOST}×`, ratio <= MOST, note);
}

/** Runs, events, deliveries and audit entries as they are after their end, over the last days, written by the database itself. */
async function fill({ api, pool, workspace }, { endpoint }, share) {
  const began = performance.now();
  await pool.query(
    `INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status, phase, inputs, output,
       error, started_by_user_id, by_agent, interface, test, labels, started_at, execution_started_at, finished_at, duration_ms)
     SELECT r.id, s.workspace_id, e.id, s.id, s.slug, v.id, 1, CASE WHEN n % 20 = 0 THEN 'failed' ELSE 'succeeded' END, 'finished',
       json_build_object('order', n), json_build_object('total', n % 1000),
       CASE WHEN n % 20 = 0 THEN 'exit code 1: TimeoutError: no answer from host ' || n % 100 END,
       $2, false, 'api', false, '{}', r.at, r.at, r.at, n % 60000
     FROM ${numbered('run')} AS r
       JOIN scripts s ON s.workspace_id = $3 JOIN script_versions v ON v.script_id = s.id
       JOIN environments e ON e.workspace_id = $3 AND e.name = 'production'`,
    [Math.round(RUNS * share), workspace.owner.id, workspace.id],
  );
  await pool.query(
    `INSERT INTO events (id, workspace_id, type, data, created_at, dispatched_at)
     SELECT r.id, $2, 'script.created', '{"name": "SECRET_NUMBER_1"}', r.at, r.at FROM ${numbered('event')} AS r`,
    [Math.round(EVENTS * share), workspace.id],
  );
  await pool.query(
    `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, status, attempts, last_status, last_attempt_at, created_at)
     SELECT r.id, $2, 'evt_' || substr(r.id, 5), 'script.created', 'delivered', 1, 200, r.at, r.at FROM ${numbered('delivery')} AS r`,
    [Math.round(DELIVERIES * share), endpoint],
  );
  await pool.query(
    `INSERT INTO audit_events (id, workspace_id, action, actor_type, actor_user_id, target_type, target_id, created_at)
     SELECT r.id, $2, 'script.created', 'user', $3, 'script', 'scr_' || substr(r.id, 5), r.at FROM ${numbered('audit')} AS r`,
    [Math.round(AUDIT_ENTRIES * share), workspace.id, workspace.owner.id],
  );
  await pool.query(
    `INSERT INTO run_statistics (workspace_id, unit, at, script_id, environment_id, version, succeeded, failed, cancelled, durations, waits)
     SELECT workspace_id, 'day', date_trunc('day', finished_at), script_id, environment_id, version,
       count(*) FILTER (WHERE status = 'succeeded'), count(*) FILTER (WHERE status = 'failed'), 0, '{}', '{}'
     FROM runs GROUP BY 1, 2, 3, 4, 5, 6 ON CONFLICT DO NOTHING`,
  );
  await pool.query('VACUUM ANALYZE');
  expect(await api.post('/v1/scripts/trivial/runs', {}), 200);
  const { rows } = await pool.query(
    `SELECT pg_size_pretty(pg_database_size(current_database())) AS whole,
       (pg_total_relation_size('runs') / (SELECT count(*) FROM runs)) AS run`,
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `      ${Math.round(RUNS * share)} runs and what belongs to them: ${seconds} s, ${rows[0].whole}, ${rows[0].run} bytes a run with its indexes`,
  );
}

/** Ids of a kind with their moments, from some days ago until now; $1 is how many. */
function numbered(kind) {
  const { prefix, moments } = dayIds(kind, DAYS);
  return `(SELECT n, day.id || lpad(n::text, ${30 - prefix.length}, '0') AS id, day.at
           FROM generate_series(1, $1::int) AS n
             JOIN (VALUES ${moments}) AS day (number, id, at) ON day.number = (n::bigint * ${DAYS} / ($1::int + 1)))`;
}

/** What the ids of each of the last days begin with. */
function dayIds(kind, days) {
  const beginnings = Array.from({ length: days }, (_, day) => {
    const at = new Date(Date.now() - (days - day) * 86_400_000);
    return [day, firstIdAt(kind, at).slice(0, 14), at.toISOString()];
  });
  const moments = beginnings.map(([day, id, at]) => `(${day}, '${id}', '${at}'::timestamptz)`).join(', ');
  return { prefix: beginnings[0][1], moments };
}

/** The runs of a day that have become too old: how soon they are gone, and what others notice. */
async function expire({ pool }, { api, session }) {
  const read = async () => expect(await session.get('/v1/runs?limit=50'), 200);
  const [before] = await interleaved(ROUNDS * 5, [read]);
  const old = new Date(Date.now() - 40 * 86_400_000);
  await pool.query(
    `UPDATE runs SET id = $1 || substr(id, 15), finished_at = $2, started_at = $2
     WHERE id IN (SELECT id FROM runs ORDER BY id LIMIT $3)`,
    [firstIdAt('run', old).slice(0, 14), old, EXPIRED_RUNS],
  );
  const oldest = firstIdAt('run', new Date(Date.now() - 30 * 86_400_000));
  const isLeft = async (most) =>
    (await pool.query('SELECT FROM runs WHERE id < $1 OFFSET $2 LIMIT 1', [oldest, most])).rowCount > 0;
  while (await isLeft(EXPIRED_RUNS - 1)) await sleep(100);
  const began = performance.now();
  const beside = [];
  while (await isLeft(0)) beside.push(...(await interleaved(10, [read]))[0]);
  const seconds = (performance.now() - began) / 1000;
  const ratio = quantile(beside, 0.99) / quantile(before, 0.99);
  table.add(`${EXPIRED_RUNS} expired runs, deleted`, `${seconds.toFixed(0)} s`, '≤ 60 s', seconds <= 60);
  table.add("others' p99 meanwhile", `${ratio.toFixed(2)}×`, `≤ ${MOST}×`, ratio <= MOST);
  expect(await api.post('/v1/scripts/trivial/runs', {}), 200);
}

async function vacuum({ pool }) {
  const began = performance.now();
  await pool.query('VACUUM ANALYZE');
  table.add('VACUUM of all tables', `${((performance.now() - began) / 1000).toFixed(0)} s`, 'none', true);
}
