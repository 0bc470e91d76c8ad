import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { createClient } from '../../dist/libs/testing/index.js';
import { publish } from '../bench/support/workbench.mjs';
import { prepareAccounts } from './accounts.mjs';
import { prepareAttempts, TRIED_AGAIN } from './attempts.mjs';
import { Sender } from './senders.mjs';
import { Turns } from './turns.mjs';

/** How long one request may be sent again before it counts as stuck. */
const PATIENCE_MS = 150_000;
/** How long its key may be held by a request that is over. */
const LONGEST_HOLD_MS = 60_000;
export const SCRIPTS = ['calls', 'sleeps', 'short', ...TRIED_AGAIN];
/** Runs whenever this one has succeeded. */
export const FIRED = { script: 'fired', after: 'calls' };
/** Where events are delivered that nobody counts. */
const NOISE_ENDPOINTS = 5;
/** Together larger than what triggers may make of one first event, so that the last of them are switched off. */
const GREEDY_TRIGGERS = 40;
/** Each as JSON some 190 bytes, of the 24 that a template has. */
const GREEDY_INPUTS = { what: Array(2_500).fill('{{event.data.script}}') };
const FLOOD_EVERY_MS = 5_000;
const LONGEST_NAME = 100;
const WRITERS = 4;

const CALLS = `
import json, os, sys, urllib.request, uuid
mark = str(uuid.uuid4())
print('began ' + mark, file=sys.stderr, flush=True)
body = json.dumps({'run': os.environ['GATEHOUSE_RUN_ID'], 'attempt': 1, 'mark': mark}).encode()
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

/** Clients that start runs and write, each request under a key of its own and sent again until it gets a response. */
export class Load {
  /** Ids of runs, and names of schedules, that were accepted. */
  runs = [];
  writes = [];
  /** How many clients start runs; each labels them by its number. */
  runners = 3;
  /** Requests without a response, and keys held too long. */
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
    this.sender = new Sender(house, this.apis[0], random);
    this.turns = new Turns(this.apis[0], (...request) => this.#insist(...request), random);
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
    await prepareAttempts(api, host);
    await this.sender.prepare((...request) => this.#insist(...request));
    await this.turns.prepare();
    await this.#endpoint('events', ['run.succeeded', 'run.failed', 'run.retrying']);
    await this.#prepareTriggers(api, command);
    await prepareAccounts((...request) => this.#insist(...request), host);
  }

  /** One that is to fire exactly once for each run, and many that make as much as they can of a new script's name. */
  async #prepareTriggers(api, command) {
    const inputSchema = { type: 'object' };
    await publish(api, FIRED.script, 'main.py', 'pass\n', { command, inputSchema });
    await this.#trigger(FIRED.script, {
      name: 'fired',
      eventType: 'run.succeeded',
      filter: { 'script.slug': FIRED.after },
      inputs: { cause: '{{event.data.runId}}' },
    });
    await publish(api, 'greedy', 'main.py', 'pass\n', { command, inputSchema });
    await api.patch('/v1/scripts/greedy', { approvalPolicy: 'always' });
    for (let index = 0; index < GREEDY_TRIGGERS; index++)
      await this.#trigger('greedy', {
        name: `greedy ${index}`,
        eventType: 'script.created',
        inputs: GREEDY_INPUTS,
      });
    for (let index = 0; index < NOISE_ENDPOINTS; index++)
      await this.#endpoint(`noise-${index}`, ['script.created', 'approval.requested']);
  }

  #trigger(script, trigger) {
    return this.#insist('POST', `/v1/scripts/${script}/triggers`, trigger);
  }

  #endpoint(path, eventTypes) {
    const url = `https://${this.outside.host}/${path}`;
    return this.#insist('POST', '/v1/workspace/webhook-endpoints', { url, eventTypes });
  }

  begin() {
    for (let index = 0; index < this.runners; index++)
      this.#clients.push(this.#repeat((n) => this.#run(index, n)));
    for (let index = 0; index < WRITERS; index++)
      this.#clients.push(this.#repeat((n) => this.#write(index, n)));
    this.#clients.push(this.#repeat((n) => this.#flood(n)));
    this.#clients.push(this.#repeat(() => this.sender.send()));
    this.#clients.push(this.#repeat((n) => this.turns.start(n)));
  }

  /** Returns once every request that was sent has its response. */
  async end() {
    this.#going = false;
    await Promise.all(this.#clients);
  }

  async #repeat(work) {
    for (let count = 0; this.#going; count++) await work(count);
  }

  async #run(client, count) {
    const slug = SCRIPTS[(client + count) % SCRIPTS.length];
    const sleeps = slug === 'short' || slug === 'sleeps';
    const inputs = sleeps ? { seconds: Math.round(this.random() * (slug === 'short' ? 5 : 30)) / 10 } : {};
    const answer = await this.#insist('POST', `/v1/scripts/${slug}/runs`, {
      inputs,
      labels: { client: String(client) },
    });
    if (answer) this.runs.push(answer.body.id);
    await sleep(100);
  }

  async #write(client, count) {
    const name = `write ${client}-${count}`;
    const answer = await this.#insist('POST', '/v1/scripts/short/schedules', { name, cron: '0 0 29 2 *' });
    if (answer) this.writes.push(name);
    await sleep(50);
  }

  /** An event of which triggers make thousands of times its size. */
  async #flood(count) {
    await this.#insist('POST', '/v1/scripts', { slug: `flood-${count}`, name: 'n'.repeat(LONGEST_NAME) });
    await sleep(FLOOD_EVERY_MS);
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
