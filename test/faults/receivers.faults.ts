import type { TLSSocket } from 'node:tls';

import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { type Endpoint, WebhookBench, answering } from '../support/webhooks.js';

const EVENTS = 40;

const CRLF = '\r\n';
const OK = `HTTP/1.1 200 OK${CRLF}`;

let bench: WebhookBench;

beforeAll(async () => {
  bench = await WebhookBench.start();
});
afterAll(() => bench?.close());

type Behaviour = (socket: TLSSocket) => void;

/** Writes a piece every so often, until the other side has enough of it. */
const dripping =
  (head: string, piece: string): Behaviour =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(piece), 400);
    socket.once('close', () => clearInterval(timer));
  };

/** What a receiver does with a request, and how its attempt is to be recorded. */
const BAD: Record<string, { does: Behaviour; status: number | null; error: RegExp | null }> = {
  fails: {
    does: (socket) => socket.end(`HTTP/1.1 500 Oops${CRLF}content-length: 0${CRLF}${CRLF}`),
    status: 500,
    error: null,
  },
  redirects: {
    does: (socket) =>
      socket.end(
        `HTTP/1.1 302 Found${CRLF}location: https://localhost/${CRLF}content-length: 0${CRLF}${CRLF}`,
      ),
    status: 302,
    error: /redirects are not followed/,
  },
  'stalls before it answers': { does: () => undefined, status: null, error: /within 10 s/ },
  'drips its headers': { does: dripping(OK, `x: y${CRLF}`), status: null, error: /within 10 s/ },
  'drips its body': {
    does: dripping(`${OK}content-length: 1000${CRLF}${CRLF}`, 'x'),
    status: 200,
    error: /within 10 s/,
  },
  'says for ever that it will go on': {
    does: dripping('', `HTTP/1.1 100 Continue${CRLF}${CRLF}`),
    status: null,
    error: /within 10 s/,
  },
  'resets the connection': {
    does: (socket) => socket.destroy(),
    status: null,
    error: /closed without a response/,
  },
  'closes without a response': {
    does: (socket) => socket.end(),
    status: null,
    error: /closed without a response/,
  },
  'promises more than it sends': {
    does: (socket) => socket.end(`${OK}content-length: 50${CRLF}${CRLF}short`),
    status: 200,
    error: /broke off/,
  },
  'breaks off a chunk': {
    does: (socket) => socket.end(`${OK}transfer-encoding: chunked${CRLF}${CRLF}5${CRLF}ab`),
    status: 200,
    error: /broke off/,
  },
  'speaks another protocol': {
    does: (socket) => socket.end(`SSH-2.0-OpenSSH_9.6${CRLF}`),
    status: null,
    error: /not HTTP/,
  },
};

async function badEndpoint(does: Behaviour) {
  const port = await bench.upstreams.startTls((socket) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (text.endsWith('}')) does(socket);
    });
  });
  const workspace = await bench.workspace();
  const api = bench.client(workspace);
  return { workspace, api, endpoint: await bench.endpoint(api, `https://localhost:${port}/hook`) };
}

/** A healthy receiver gets that many events, one after the other. */
async function expectDelivered(count: number): Promise<void> {
  const { api, receiver } = await bench.scene();
  receiver.answer = answering(204);
  for (let n = 1; n <= count; n++) {
    const put = await api.put(`/v1/workspace/secrets/S_${n}`, { value: `value-${n}`, hosts: ['a.example'] });
    expect(put.status, put.text).toBe(200);
    await receiver.until(n);
  }
}

async function attemptsOf({ api, endpoint }: Awaited<ReturnType<typeof badEndpoint>>): Promise<Json[]> {
  const attempts = async (of: Endpoint): Promise<Json[]> => {
    const { body } = await api.get(`${of.path}/deliveries?limit=100`);
    const tried = body.items.filter(({ attempts: count }: Json) => count > 0);
    const pages = await Promise.all(
      tried.map(({ id }: Json) => api.get(`${of.path}/deliveries/${id}/attempts`)),
    );
    return pages.flatMap((page) => page.body.items);
  };
  await expect.poll(async () => (await attempts(endpoint)).length).toBeGreaterThan(0);
  return attempts(endpoint);
}

it('Receivers that fail, stall, drip, reset and lie are recorded as such, and keep nobody else from theirs', async () => {
  const bad = await Promise.all(
    Object.entries(BAD).map(async ([name, how]) => ({ name, how, ...(await badEndpoint(how.does)) })),
  );
  for (const { workspace } of bad) {
    const many = Array.from({ length: EVENTS }, () => ({ name: 'S', environment: 'production' }));
    await bench.write(workspace.id, workspace.environmentId, many);
  }
  await expectDelivered(EVENTS);

  const rows: Record<string, Json> = {};
  const wrong: string[] = [];
  for (const { name, how, ...place } of bad) {
    const attempts = await attemptsOf(place);
    rows[name] = { attempts: attempts.length, status: attempts[0].status, reason: attempts[0].error };
    for (const { status, error } of attempts) {
      const fits = status === how.status && (how.error ? how.error.test(error ?? '') : error === null);
      if (!fits) wrong.push(`${name}: ${status} ${error}`);
    }
    const { body } = await place.api.get(`${place.endpoint.path}/deliveries?limit=100`);
    expect(body.items, name).toHaveLength(EVENTS);
    expect(body.items.filter(({ status }: Json) => status === 'delivered')).toEqual([]);
  }
  console.table(rows);
  expect(wrong).toEqual([]);
});
