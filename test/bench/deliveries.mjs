// Deliveries of events to webhook endpoints: each against bare POSTs to the same receivers in the same run.
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { createClient } from '../../dist/libs/testing/index.js';
import { firstIdAt, newId } from '../../dist/src/core/crypto/ids.js';
import { WIDEST } from '../../dist/src/webhooks/sending/endpoint-drain.js';
import { Table, median, quantile } from './support/measure.mjs';
import { BareLoop, startReceivers } from './support/receivers.mjs';
import { expect, openWorkbench } from './support/workbench.mjs';

const EVENTS = 6_000;
const ROUNDS = 3;
const STALLED_ROUNDS = 5;
const OLD_DELIVERIES = 2_000_000;
const parts = new Set(process.argv.slice(2));
const wanted = (part) => parts.size === 0 || parts.has(part);
const table = new Table();

if (wanted('one')) await withBench(1, throughputOfOne);
if (wanted('many')) await withBench(100, throughputOfMany);
if (wanted('latency')) await withBench(1, latency);
if (wanted('stalled')) await withBench(10, stalled);
if (wanted('history')) await history();
table.print();

async function open(receivers) {
  const bench = await openWorkbench(
    {
      GATEHOUSE_RATE_LIMIT: '0',
      GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: receivers.caFile,
    },
    { track_commit_timestamp: 'on' },
  );
  return { ...bench, receivers };
}

async function withBench(count, work) {
  const receivers = await startReceivers(count);
  const bench = await open(receivers);
  try {
    await work(bench);
  } finally {
    await bench.close();
    receivers.stop();
  }
}

/** Ten endpoints a workspace, as many workspaces as that takes; workspaces with their endpoints. */
async function register(bench) {
  const { gatehouse, workspace, receivers } = bench;
  const session = createClient({ baseUrl: gatehouse.baseUrl, cookie: workspace.owner.cookie });
  const places = [];
  for (let first = 0; first < receivers.ports.length; first += 10) {
    const slug = `place-${first}`;
    const { id } = expect(await session.post('/v1/workspaces', { name: slug, slug }), 201);
    const api = createClient({ baseUrl: gatehouse.baseUrl, token: workspace.owner.token, workspace: slug });
    const ports = receivers.ports.slice(first, first + 10);
    const endpoints = [];
    for (const port of ports) {
      const made = await api.post('/v1/workspace/webhook-endpoints', {
        url: `https://localhost:${port}/hook`,
      });
      endpoints.push(expect(made, 201).endpoint.id);
    }
    places.push({ id, slug, api, endpoints });
  }
  return places;
}

/** Deliveries a second, from when the events are stored to when the last outcome is. */
async function deliveriesPerSecond(bench, places, count) {
  const { pool, receivers } = bench;
  await receivers.reset();
  const each = Math.floor(count / places.reduce((sum, { endpoints }) => sum + endpoints.length, 0));
  for (const { id } of places) {
    await pool.query(
      `INSERT INTO events (id, workspace_id, type, data)
       SELECT v.id, $2, 'script.created', '{"name": "SECRET_NUMBER_1", "environment": "production"}'
       FROM unnest($1::text[]) AS v(id)`,
      [Array.from({ length: each }, () => newId('event')), id],
    );
  }
  const began = performance.now();
  // Anything that is committed through the service has it look.
  const total = places.reduce((sum, { endpoints }) => sum + endpoints.length * each, 0);
  await toggle(places[0]);
  const extra = places[0].endpoints.length;
  await receivers.until(total + extra);
  const pending = async () =>
    (await pool.query(`SELECT FROM webhook_deliveries WHERE status = 'pending' LIMIT 1`)).rowCount > 0;
  while (await pending()) await sleep(5);
  return ((total + extra) * 1000) / (performance.now() - began);
}

/** Commits an event of the service's own. */
async function toggle(place) {
  place.toggled = !place.toggled;
  const approvalPolicy = place.toggled ? 'agents' : 'none';
  expect(await place.api.patch('/v1/workspace/environments/production', { approvalPolicy }), 200);
}

async function againstBareLoop(bench, concurrency, label, target) {
  const places = await register(bench);
  const loop = new BareLoop(bench.receivers, concurrency);
  const work = () => deliveriesPerSecond(bench, places, EVENTS);
  await loop.rate(2_000);
  await work();
  const rates = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    rates[0].push(await loop.rate(EVENTS));
    rates[1].push(await work());
  }
  loop.close();
  const [bare, ours] = rates.map(median);
  const note = `${ours.toFixed(0)}/s against ${bare.toFixed(0)}/s, ${concurrency} at a time`;
  table.add(label, (ours / bare).toFixed(2), `≥ ${target}`, ours / bare >= target, note);
}

function throughputOfOne(bench) {
  return againstBareLoop(bench, WIDEST, 'deliveries/s, one endpoint, against bare POSTs', 0.5);
}

function throughputOfMany(bench) {
  return againstBareLoop(bench, 200, 'deliveries/s, 100 endpoints, against bare POSTs', 0.4);
}

/**
 * Milliseconds from the commit of each event to its arrival, without those at one receiver where it is named. An event's
 * row is written again when it is dispatched, so the time of the commit is taken from the audit entry beside it.
 */
async function delays({ pool, receivers }, without = -1) {
  const { rows } = await pool.query(
    `SELECT e.id, extract(epoch FROM pg_xact_commit_timestamp(a.xmin)) * 1000 AS at
     FROM events e JOIN audit_events a ON a.workspace_id = e.workspace_id AND a.created_at = e.created_at
     WHERE e.type = 'environment.updated'`,
  );
  const committed = new Map(rows.map(({ id, at }) => [id, Number(at)]));
  return (await receivers.arrivals())
    .filter(([index, , id]) => index !== without && committed.has(id))
    .map(([, at, id]) => at - committed.get(id));
}

async function latency(bench) {
  const [place] = await register(bench);
  const loop = new BareLoop(bench.receivers, 1);
  const bare = [];
  for (let index = 0; index < 20; index++) {
    await toggle(place);
    await loop.post();
  }
  await sleep(1_000);
  await bench.receivers.reset('bodies');
  for (let index = 0; index < 300; index++) {
    bare.push(await loop.post());
    await sleep(20);
    await toggle(place);
    await sleep(60);
  }
  await sleep(500);
  loop.close();
  const ours = await delays(bench);
  const usual = median(bare);
  for (const [name, share, most] of [
    ['p50', 0.5, 10],
    ['p99', 0.99, 30],
  ]) {
    const time = quantile(ours, share);
    const note = `${time.toFixed(1)} ms against ${usual.toFixed(2)} ms (its p99: ${quantile(bare, 0.99).toFixed(1)} ms)`;
    table.add(
      `event committed → at the receiver, ${name}, against a bare POST's p50`,
      `${(time / usual).toFixed(1)}×`,
      `≤ ${most}×`,
      time / usual <= most,
      note,
    );
  }
}

async function stalled(bench) {
  const { receivers, pool } = bench;
  const [place] = await register(bench);
  const last = place.endpoints.length - 1;
  const load = async () => {
    await receivers.reset('bodies');
    for (let index = 0; index < 300; index++) {
      const began = performance.now();
      await toggle(place);
      await sleep(Math.max(0, 25 - (performance.now() - began)));
    }
    await sleep(1_000);
    return delays(bench, last);
  };
  await load();
  const times = [[], []];
  for (let round = 0; round < STALLED_ROUNDS; round++) {
    times[0].push(await load());
    await receivers.stall(last);
    times[1].push(await load());
    await receivers.resume(last);
    // What is in progress there ends within ten seconds.
    await sleep(11_000);
    await pool.query(`UPDATE webhook_deliveries SET status = 'failed' WHERE status = 'pending'`);
    await pool.query('UPDATE webhook_endpoints SET enabled = true, consecutive_failures = 0');
  }
  const [without, beside] = times.map((rounds) => median(rounds.map((round) => quantile(round, 0.99))));
  const halves = times.map((rounds) => median(rounds.map(median)).toFixed(1));
  const ratio = beside / without;
  const note = `${beside.toFixed(1)} ms against ${without.toFixed(1)} ms; p50 ${halves[1]} ms against ${halves[0]} ms`;
  table.add(
    "others' p99 beside a stalled endpoint among 10",
    `${ratio.toFixed(2)}×`,
    '≤ 1.2×',
    ratio <= 1.2,
    note,
  );
}

async function history() {
  const receivers = await startReceivers(1);
  const benches = [await open(receivers), await open(receivers)];
  try {
    const places = [];
    for (const bench of benches) places.push(await register(bench));
    await storeOld(benches[1], places[1][0]);
    const work = (index) => deliveriesPerSecond(benches[index], places[index], EVENTS);
    for (const index of [0, 1]) await work(index);
    const rates = [[], []];
    for (let round = 0; round < ROUNDS + 2; round++) {
      for (const index of [0, 1]) rates[index].push(await work(index));
    }
    const [fresh, old] = rates.map(median);
    const ratio = fresh / old;
    const note = `${old.toFixed(0)}/s against ${fresh.toFixed(0)}/s`;
    table.add(
      'cost of a delivery beside 2,000,000 old ones against none',
      `${ratio.toFixed(2)}×`,
      '≤ 1.2×',
      ratio <= 1.2,
      note,
    );
  } finally {
    for (const bench of benches) await bench.close();
    receivers.stop();
  }
}

/** Delivered long ago, with their events and attempts. */
async function storeOld({ pool }, { id, endpoints: [endpointId] }) {
  // Of the day before yesterday, or they would be deleted as too old.
  const place = firstIdAt('event', new Date(Date.now() - 2 * 86_400_000)).slice('evt_'.length, 14);
  const number = `'${place}' || lpad(n::text, 16, '0')`;
  await pool.query(
    `INSERT INTO events (id, workspace_id, type, data, created_at, dispatched_at)
     SELECT 'evt_' || ${number}, $1, 'script.created', '{"name": "SECRET_NUMBER_1"}', now(), now()
     FROM generate_series(1, $2::int) AS n`,
    [id, OLD_DELIVERIES],
  );
  await pool.query(
    `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, status, attempts, last_status, last_attempt_at)
     SELECT 'msg_' || ${number}, $1, 'evt_' || ${number}, 'script.created', 'delivered', 1, 200, now()
     FROM generate_series(1, $2::int) AS n`,
    [endpointId, OLD_DELIVERIES],
  );
  await pool.query(
    `INSERT INTO webhook_attempts (delivery_id, number, status, duration_ms, response, attempted_at)
     SELECT 'msg_' || ${number}, 1, 200, 3, 'ok', now() FROM generate_series(1, $1::int) AS n`,
    [OLD_DELIVERIES],
  );
  await pool.query('VACUUM ANALYZE events, webhook_deliveries, webhook_attempts');
}
