// What the gate costs: latency, throughput, memory, and a script's one call from spawn to exit.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import pg from 'pg';

import { EmbeddedPostgres } from '../../dist/src/core/database/embedded/embedded-postgres.js';
import { BIG_BYTES } from './support/gate-origin.mjs';
import { Table, interleaved, median } from './support/measure.mjs';
import { bare } from './support/processes.mjs';
import { post } from './support/http.mjs';
import { expect, openWorkbench, publish } from './support/workbench.mjs';

const table = new Table();
const children = [];

function start(name, ...args) {
  const program = fileURLToPath(new URL(`support/${name}.mjs`, import.meta.url));
  const child = fork(program, args, { execArgv: ['--expose-gc'] });
  children.push(child);
  return new Promise((done) => child.once('message', (told) => done({ child, ...told })));
}

function ask({ child }, question) {
  return new Promise((done) => {
    child.once('message', done);
    child.send(question);
  });
}

const origin = await start('gate-origin');
const open = (mode, count = 1, secret = null, isOwn = false) =>
  start('gate-process', JSON.stringify({ mode, port: origin.port, ca: origin.ca, count, secret, isOwn }));
const openTo = (mode, port, postgres) =>
  start('gate-process', JSON.stringify({ mode, port, ca: null, count: 1, secret: null, postgres }));

function getter(port, ca) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
  const options = { host: '127.0.0.1', port, ca, servername: 'localhost', agent };
  return (path) =>
    new Promise((done, fail) => {
      const headers = { host: `localhost:${origin.port}` };
      const request = https.get({ ...options, path, headers }, (response) => {
        let bytes = 0;
        response.on('data', (chunk) => (bytes += chunk.length));
        response.on('end', () => done({ status: response.statusCode, bytes }));
      });
      request.on('error', fail);
    });
}

try {
  await latencyAndThroughput();
  await memory();
  await wholeScript();
  await database();
} finally {
  for (const child of children) child.kill();
}
table.print();

async function latencyAndThroughput() {
  const gate = await open('gate');
  const relay = await open('relay');
  const direct = getter(origin.port, origin.ca);
  const through = getter(gate.ports[0], gate.ca);
  const relayed = getter(relay.ports[0], relay.ca);

  await interleaved(100, [() => direct('/'), () => through('/')]);
  const [bareMs, gateMs] = (await interleaved(500, [() => direct('/'), () => through('/')])).map(median);
  const added = gateMs - bareMs;
  const note = `${gateMs.toFixed(2)} ms against ${bareMs.toFixed(2)} ms`;
  table.add(
    'added latency p50 of a keep-alive GET',
    `${added.toFixed(2)} ms`,
    '≤ 1.0 ms',
    added <= 1.0,
    note,
  );

  const own = await open('gate', 1, null, true);
  const byOwn = getter(own.ports[0], own.ca);
  await interleaved(100, [() => through('/'), () => byOwn('/')]);
  const [usualMs, ownMs] = (await interleaved(500, [() => through('/'), () => byOwn('/')])).map(median);
  const more = ownMs - usualMs;
  table.add(
    'the same to a host with authorities of its own, added',
    `${more.toFixed(2)} ms`,
    '≤ 0.2 ms',
    more <= 0.2,
    `${ownMs.toFixed(2)} ms against ${usualMs.toFixed(2)} ms`,
  );

  const download = async (get) => {
    const { status, bytes } = await get('/big');
    if (status !== 200 || bytes !== BIG_BYTES) throw new Error(`The download: ${status}, ${bytes} bytes`);
  };
  await ask(gate, 'settle');
  const { rss } = await ask(gate, 'settle');
  const times = await interleaved(5, [() => download(relayed), () => download(through)]);
  const [relayMs, throughMs] = times.map(median);
  const ratio = relayMs / throughMs;
  const rates = `${(BIG_BYTES / throughMs / 1000).toFixed(0)} MB/s against ${(BIG_BYTES / relayMs / 1000).toFixed(0)} MB/s`;
  table.add(
    '100 MB through the gate against a bare TLS relay',
    ratio.toFixed(2),
    '≥ 0.7',
    ratio >= 0.7,
    rates,
  );
  const searching = await open('gate', 1, 'sk_live_4eC39HqLyjWDarjtT1zdp7dc');
  const searched = getter(searching.ports[0], searching.ca);
  const pair = await interleaved(5, [() => download(relayed), () => download(searched)]);
  const [plainMs, searchedMs] = pair.map(median);
  table.add(
    'the same where the response is searched for a secret',
    (plainMs / searchedMs).toFixed(2),
    '≥ 0.5',
    plainMs / searchedMs >= 0.5,
    `${(BIG_BYTES / searchedMs / 1000).toFixed(0)} MB/s`,
  );
  const growth = ((await ask(gate, 'peak')).peak - rss) / 1e6;
  table.add('growth of the process while downloading', `${growth.toFixed(0)} MB`, '≤ 32 MB', growth <= 32);
}

async function memory() {
  const gates = await open('gate', 200);
  for (const port of gates.ports) await getter(port, gates.ca)('/');
  const { rss, before } = await ask(gates, 'settle');
  const each = (rss - before) / 200 / 1e6;
  table.add('memory per gate, 200 with a connection each', `${each.toFixed(2)} MB`, '≤ 1 MB', each <= 1);
}

/** A database that the gate signs in to, against the same through a bare relay. */
async function database() {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-postgres-'));
  // Too long for a socket's path, so it listens on a port.
  const dataDir = join(directory, 'x'.repeat(100));
  const server = new EmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  const clients = [];
  try {
    const url = new URL((await server.start()).url);
    const password = decodeURIComponent(url.password);
    const admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    // As any server has it; the embedded one has a single iteration, which the gate takes for an attempt to learn the password.
    await admin.query('SET scram_iterations = 4096');
    await admin.query(`ALTER ROLE ${url.username} PASSWORD '${password}'`);
    await admin.end();
    const credentials = { user: url.username, password };
    const options = { credentials, database: null, sslmode: 'disable', ca: null, role: null };
    const through = (rule) =>
      openTo('gate', Number(url.port), { ...options, statementTimeoutMs: null, maxConnections: 9, ...rule });
    const ways = [
      await openTo('pipe', Number(url.port)),
      await through({ readOnly: false }),
      await through({ readOnly: true }),
      await through({ readOnly: false, asks: true }),
    ];
    for (const { ports } of ways) {
      const own = new URL(url);
      own.host = `127.0.0.1:${ports[0]}`;
      clients.push(new pg.Client({ connectionString: own.href }));
      await clients.at(-1).connect();
    }
    const one = clients.map((client) => () => client.query('SELECT 1'));
    await interleaved(100, one);
    const [relayMs, plainMs, readMs, askMs] = (await interleaved(500, one)).map(median);
    for (const [what, ms] of [
      ['', plainMs],
      [', only to read', readMs],
      [', where writes are asked about', askMs],
    ]) {
      const added = ms - relayMs;
      const note = `${ms.toFixed(2)} ms against ${relayMs.toFixed(2)} ms through a bare relay`;
      table.add(`added p50 of a SELECT 1${what}`, `${added.toFixed(2)} ms`, '≤ 0.2 ms', added <= 0.2, note);
    }
    const rows = `SELECT repeat('x', 100000) FROM generate_series(1, 1000)`;
    const many = clients.map((client) => () => client.query(rows));
    const [relayed, gated] = (await interleaved(5, many)).map(median);
    const ratio = relayed / gated;
    table.add('100 MB of rows against a bare relay', ratio.toFixed(2), '≥ 0.8', ratio >= 0.8);
  } finally {
    for (const client of clients) await client.end().catch(() => undefined);
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function wholeScript() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-call-'));
  const address = `https://localhost:${origin.port}/`;
  const code = `import urllib.request\nprint(urllib.request.urlopen("${address}").read().decode())\n`;
  const caFile = join(folder, 'ca.pem');
  writeFileSync(join(folder, 'main.py'), code);
  writeFileSync(caFile, origin.ca);
  const bench = await openWorkbench({
    GATEHOUSE_RATE_LIMIT: '0',
    GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1',
    NODE_EXTRA_CA_CERTS: caFile,
  });
  try {
    await publish(bench.api, 'call', 'main.py', code, {
      command: 'python3 main.py',
      hosts: [`localhost:${origin.port}`],
    });
    const inBox = [];
    const run = async () => {
      const { status, body } = await post(bench, '/v1/scripts/call/runs', '{}');
      const made = expect({ status, text: body, body: JSON.parse(body) }, 200);
      if (made.output !== 'hello') throw new Error(`The run: ${body}`);
      inBox.push(made.durationMs);
    };
    const spawned = () =>
      bare('/usr/bin/python3', [join(folder, 'main.py')], { env: { SSL_CERT_FILE: caFile } });
    await interleaved(5, [spawned, run]);
    inBox.length = 0;
    const [bareMs, httpMs] = (await interleaved(40, [spawned, run])).map(median);
    const ratio = median(inBox) / bareMs;
    const note = `${median(inBox)} ms in the box against ${bareMs.toFixed(1)} ms; ${(httpMs / bareMs).toFixed(2)}× with the API around it`;
    table.add(
      "a Python script's one HTTPS call, spawn to exit",
      `${ratio.toFixed(2)}×`,
      '≤ 3.0×',
      ratio <= 3,
      note,
    );
  } finally {
    await bench.close();
    rmSync(folder, { recursive: true });
  }
}
