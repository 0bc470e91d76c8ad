import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { publish } from '../bench/support/workbench.mjs';

const PATIENCE_MS = 150_000;
const SEND_EVERY_MS = 150;
const KEY = 'only-two-know-this-key';
const SCRIPT = 'hooked';
const VERIFY = {
  ...{ scheme: 'hmac', secret: 'HOOK_KEY', header: 'x-signature', algorithm: 'sha256', encoding: 'hex' },
  idHeader: 'x-id',
};

/** Sends to a hook as others do: signed, by a name, and again until there is a response. */
export class Sender {
  /** The names of what was taken. */
  accepted = [];
  stuck = [];
  odd = [];

  constructor(house, api, random) {
    this.house = house;
    this.api = api;
    this.random = random;
  }

  async prepare(insist) {
    const { api } = this;
    const inputSchema = { type: 'object' };
    await publish(api, SCRIPT, 'main.py', 'pass\n', { command: 'python3 main.py', inputSchema });
    await api.put('/v1/workspace/secrets/HOOK_KEY', { value: KEY, hosts: ['api.example.com'] });
    const inputs = { name: '{{request.body.name}}' };
    const made = await insist('POST', `/v1/scripts/${SCRIPT}/hooks`, {
      name: 'sent',
      verify: VERIFY,
      inputs,
    });
    this.hook = made.body;
  }

  async send() {
    const name = randomUUID();
    const body = JSON.stringify({ name });
    const headers = {
      'content-type': 'application/json',
      'x-id': name,
      'x-signature': createHmac('sha256', KEY).update(body).digest('hex'),
    };
    const { pathname } = new URL(this.hook.url);
    for (const began = Date.now(); Date.now() - began < PATIENCE_MS; await sleep(200)) {
      const url = new URL(pathname, this.house.url(this.random() < 0.5 ? 'main' : 'api'));
      const status = await fetch(url, { method: 'POST', headers, body }).then(
        async (response) => {
          await response.text();
          return response.status;
        },
        () => null,
      );
      if (status === 202) {
        this.accepted.push(name);
        return await sleep(SEND_EVERY_MS);
      }
      if (status !== null && status !== 503) this.odd.push(`${status} to a hook`);
    }
    this.stuck.push(`the request ${name} was not answered`);
  }

  /** Whether each request that was taken has its one run and its receipt. */
  async judge(every, inputsOf) {
    const runs = await inputsOf(this.api, SCRIPT, 'name');
    const receipts = await every(this.api, `/v1/hooks/${this.hook.id}/receipts`);
    const received = new Set(
      receipts.filter(({ verdict }) => verdict === 'accepted').map(({ providerId }) => providerId),
    );
    return {
      accepted: this.accepted.length,
      lost: this.accepted.filter((name) => !runs.has(name) || !received.has(name)),
      twice: [...runs].filter(([, times]) => times > 1).map(([name]) => name),
      stuck: this.stuck,
    };
  }
}
