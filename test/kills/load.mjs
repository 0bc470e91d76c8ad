import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { createClient } from '../../dist/libs/testing/index.js';
import { publish } from '../bench/support/workbench.mjs';

/** How long one request may be sent again before it counts as stuck. */
const PATIENCE_MS = 150_000;
/** How long its key may be held by a request that is over. */
const LONGEST_HOLD_MS = 60_000;
export const SCRIPTS = ['calls', 'sleeps', 'short'];
const RUNNERS = 3;
const WRITERS = 4;

const CALLS = `
import json, os, sys, urllib.request, uuid
mark = str(uuid.uuid4())
print('began ' + mark, file=sys.stderr, flush=True)
body = json.dumps({'run': os.environ['GATEHOUSE_RUN_ID'], 'mark': mark}).encode()
urllib.request.urlopen(urllib.request.Request('https://HOST/call', data=body, method='POST'), timeout=20).read()
print('called')
`;
const SLEEPS = `
import json, os, sys, time, uuid
print('began ' + str(uuid.uuid4()), file=sys.stderr, flush=True)
time.sleep(json.load(open(os.environ['GATEHOUSE_INPUTS']))['seconds'])
print('slept')
`;
const INPUTS = { type: 'object', properties: { seconds: { type: 'number' } } };

/** Clients that start runs and write, each request under a key of its own and sent again until it is answered. */
export class Load {
  /** Ids of runs, and names of schedules, that were accepted. */
  runs = [];
  writes = [];
  /** Requests that were never answered, and keys held too long. */
  stuck = [];
  /** Answers that no kill explains. */
  odd = [];
  #going = true;
  #clients = [];

  constructor(house, outside, random) {
    const { personalAccessToken: token, workspace } = house.firstRun;
    this.apis = ['main', 'api'].map((role) => createClient({ baseUrl: house.url(role), token, workspace }));
    this.outside = outside;
    this.random = random;
  }

  async prepare() {
    const [api] = this.apis;
    const { host } = this.outside;
    const command = 'python3 main.py';
    await publish(api, 'calls', 'main.py', CALLS.replace('HOST', host), {
      command,
      hosts: [host],
      timeout: 60,
    });
    await publish(api, 'sleeps', 'main.py', SLEEPS, { command, inputSchema: INPUTS, timeout: 60 });
    await publish(api, 'short', 'main.py', SLEEPS, { command, inputSchema: INPUTS });
    const eventTypes = ['run.succeeded', 'run.failed'];
    await this.#insist('POST', '/v1/workspace/webhook-endpoints', {
      url: `https://${host}/events`,
      eventTypes,
    });
  }

  begin() {
    for (let index = 0; index < RUNNERS; index++)
      this.#clients.push(this.#repeat((n) => this.#run(index, n)));
    for (let index = 0; index < WRITERS; index++)
      this.#clients.push(this.#repeat((n) => this.#write(index, n)));
  }

  /** Returns once every request that was sent is answered. */
  async end() {
    this.#going = false;
    await Promise.all(this.#clients);
  }

  async #repeat(work) {
    for (let count = 0; this.#going; count++) await work(count);
  }

  async #run(client, count) {
    const slug = SCRIPTS[(client + count) % SCRIPTS.length];
    const inputs =
      slug === 'calls' ? {} : { seconds: Math.round(this.random() * (slug === 'short' ? 5 : 30)) / 10 };
    const answer = await this.#insist('POST', `/v1/scripts/${slug}/runs`, { inputs });
    if (answer) this.runs.push(answer.body.id);
    await sleep(100);
  }

  async #write(client, count) {
    const name = `write ${client}-${count}`;
    const answer = await this.#insist('POST', '/v1/scripts/short/schedules', { name, cron: '0 0 29 2 *' });
    if (answer) this.writes.push(name);
    await sleep(50);
  }

  async #insist(method, path, body) {
    const key = { 'idempotency-key': randomUUID() };
    const began = Date.now();
    let heldSince = null;
    let told = false;
    for (let attempt = 0; Date.now() - began < PATIENCE_MS; attempt++) {
      const api = this.apis[Math.floor(this.random() * this.apis.length)];
      const answer = await api.post(path, body, key).catch(() => null);
      if (answer && answer.status < 300) return answer;
      const held = answer?.status === 409 && answer.body?.error?.code === 'idempotency_in_progress';
      // A run that is waited for holds its key for as long as it takes.
      heldSince = held ? (heldSince ?? Date.now()) : null;
      if (held && !told && Date.now() - heldSince > LONGEST_HOLD_MS && !path.endsWith('/runs')) {
        told = true;
        this.stuck.push(`the key of ${method} ${path} was held for over a minute`);
      }
      if (answer && !held && answer.status !== 503) {
        this.odd.push(`${answer.status} to ${method} ${path}: ${answer.text.slice(0, 300)}`);
        if (answer.status < 500) return null;
      }
      await sleep(held ? 500 : 200);
    }
    this.stuck.push(`${method} ${path} was not answered within ${PATIENCE_MS / 1000} s`);
    return null;
  }
}
