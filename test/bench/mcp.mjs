// What the Model Context Protocol costs: listing tools and calling one against the REST routes, and clients that listen.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { Table, interleaved, median } from './support/measure.mjs';
import { memoryOf } from './support/processes.mjs';
import { openWorkbench, publish } from './support/workbench.mjs';

const SCRIPTS = 200;
const GRANTS = 500;
const ROUNDS = 60;
const VERSION = '2026-07-28';

const table = new Table();
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const bench = await openWorkbench({ GATEHOUSE_RATE_LIMIT: '0', GATEHOUSE_RUN_CONCURRENCY: '8' });
try {
  await publish(bench.api, 'trivial', 'main.py', 'pass\n', { command: 'python3 main.py' });
  const token = await bench.workspace.owner.agent();
  await calling(token);
  await listing(token);
  await listening();
} finally {
  await bench.close();
  agent.destroy();
}
table.print();

/** Sends and reads a response in the same way for both sides, so that only what the service does differs. */
function send(method, path, token, body, headers = {}) {
  return new Promise((done, fail) => {
    const sent = request(
      new URL(path, bench.gatehouse.baseUrl),
      { method, agent, headers: { authorization: `Bearer ${token}`, ...headers } },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) done(JSON.parse(text));
          else fail(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
        });
      },
    );
    sent.once('error', fail);
    sent.end(body);
  });
}

function message(method, params) {
  const client = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: client } });
}

function headersOf(method, name) {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(name && { 'mcp-name': name }),
  };
}

const rpc = (token, method, params) =>
  send('POST', '/mcp', token, message(method, params), headersOf(method, params.name));

async function calling(token) {
  const works = [
    () => send('POST', '/v1/scripts/trivial/runs', token, '{}', { 'content-type': 'application/json' }),
    () => rpc(token, 'tools/call', { name: 'trivial', arguments: {} }),
  ];
  await interleaved(8, works);
  const [byRoute, byTool] = (await interleaved(ROUNDS, works)).map(median);
  const ratio = byTool / byRoute;
  const note = `${byTool.toFixed(1)} ms against ${byRoute.toFixed(1)} ms`;
  table.add(
    'tools/call of a trivial script, p50 against its route',
    `${ratio.toFixed(2)}×`,
    '≤ 1.2×',
    ratio <= 1.2,
    note,
  );
}

async function listing(token) {
  for (let number = 1; number < SCRIPTS; number++) {
    await publish(bench.api, `script-${number}`, 'main.py', 'pass\n', {
      command: 'python3 main.py {city} {days}',
      inputSchema: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'Where.' },
          days: { type: 'integer', minimum: 1, maximum: 14, description: 'How many days ahead.' },
        },
        required: ['city', 'days'],
      },
    });
  }
  const works = [
    async () => {
      const first = await send('GET', '/v1/scripts?limit=100', token);
      await send('GET', `/v1/scripts?limit=100&cursor=${first.nextCursor}`, token);
    },
    () => rpc(token, 'tools/list', {}),
  ];
  await interleaved(20, works);
  const [byRoute, byTool] = (await interleaved(ROUNDS * 2, works)).map(median);
  const ratio = byTool / byRoute;
  const note = `${byTool.toFixed(1)} ms against ${byRoute.toFixed(1)} ms`;
  table.add(
    `tools/list of ${SCRIPTS} scripts, p50 against their two pages`,
    `${ratio.toFixed(2)}×`,
    '≤ 1.3×',
    ratio <= 1.3,
    note,
  );
}

async function listening() {
  const tokens = [];
  for (let number = 0; number < GRANTS; number++) tokens.push(await bench.workspace.owner.agent());
  const { pid } = bench.gatehouse.child;
  await sleep(2_000);
  const before = await memoryOf(pid, 'nothing else');
  const streams = await Promise.all(tokens.map(open));
  await sleep(3_000);
  const after = await memoryOf(pid, 'nothing else');
  const each = ((after.megabytes - before.megabytes) * 1024) / GRANTS;
  const note = `${before.megabytes.toFixed(0)} MB before, ${after.megabytes.toFixed(0)} MB after`;
  table.add(
    `memory for each of ${GRANTS} grants that listen`,
    `${each.toFixed(0)} KB`,
    '≤ 50 KB',
    each <= 50,
    note,
  );
  for (const stream of streams) stream.destroy();
}

function open(token) {
  return new Promise((done, fail) => {
    const method = 'subscriptions/listen';
    const sent = request(
      new URL('/mcp', bench.gatehouse.baseUrl),
      { method: 'POST', agent: false, headers: { authorization: `Bearer ${token}`, ...headersOf(method) } },
      (response) => response.once('data', () => done(response)).on('error', () => undefined),
    );
    sent.once('error', fail);
    sent.end(message(method, { notifications: { toolsListChanged: true } }));
  });
}
