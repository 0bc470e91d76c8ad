import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { publish } from '../bench/support/workbench.mjs';

const LANED = 'laned';
const GATHERED = 'gathered';
const LANES = 6;
const TOPICS = 3;
const OF_A_BATCH = 3;
const SOONEST_MS = 500;
const LATEST_MS = 3_000;
const START_EVERY_MS = 250;
const BRIEFLY = 'import time\ntime.sleep(0.2)\n';

/** Starts runs that share places, begin later, come many at once, or take each other's place. */
export class Turns {
  /** The runs of lanes that were accepted, and how many starts were to be gathered. */
  #runs = [];
  #starts = 0;

  constructor(api, insist, random) {
    this.api = api;
    this.insist = insist;
    this.random = random;
  }

  async prepare() {
    const command = 'python3 main.py';
    const inputSchema = {
      type: 'object',
      properties: { lane: { type: 'string' }, topic: { type: 'string' } },
    };
    const concurrency = { limit: 1, key: '{lane}', onLimit: 'queue' };
    await publish(this.api, LANED, 'main.py', BRIEFLY, { command, inputSchema, concurrency });
    const debounce = { wait: 1, maxWait: 3, key: '{topic}' };
    await publish(this.api, GATHERED, 'main.py', BRIEFLY, { command, inputSchema, debounce });
  }

  async start(count) {
    const kinds = [
      () => this.#one({}),
      () => this.#one({ startAt: this.#soon() }),
      () => this.#many(),
      () => this.#gather(),
    ];
    await kinds[count % kinds.length]();
    await sleep(START_EVERY_MS);
  }

  async #one(fields) {
    const answer = await this.insist('POST', `/v1/scripts/${LANED}/runs`, {
      inputs: this.#lane(),
      ...fields,
    });
    if (answer) this.#runs.push(answer.body.id);
  }

  async #many() {
    const inputs = Array.from({ length: OF_A_BATCH }, () => this.#lane());
    const answer = await this.insist('POST', `/v1/scripts/${LANED}/runs/batch`, { inputs });
    if (answer) this.#runs.push(...answer.body.runs);
  }

  async #gather() {
    const inputs = { topic: `topic ${this.#oneOf(TOPICS)}`, mark: randomUUID() };
    if (await this.insist('POST', `/v1/scripts/${GATHERED}/runs`, { inputs })) this.#starts += 1;
  }

  #soon() {
    return new Date(Date.now() + SOONEST_MS + this.random() * (LATEST_MS - SOONEST_MS)).toISOString();
  }

  #lane() {
    return { lane: `lane ${this.#oneOf(LANES)}` };
  }

  #oneOf(count) {
    return Math.floor(this.random() * count);
  }

  /** Whether each start has its one run, or is counted by one, and no two runs of a lane were there at once. */
  async judge(every, settled) {
    const read = async () => [
      ...(await every(this.api, '/v1/runs', `&script=${LANED}`)),
      ...(await every(this.api, '/v1/runs', `&script=${GATHERED}`)),
    ];
    const runs = await settled(read);
    const laned = runs.filter(({ script }) => script.slug === LANED);
    const ids = new Set(laned.map(({ id }) => id));
    const accepted = new Set(this.#runs);
    const counted = runs.reduce((sum, { debounce }) => sum + (debounce?.starts ?? 0), 0);
    return {
      accepted: accepted.size + this.#starts,
      lost: [
        ...[...accepted].filter((id) => !ids.has(id)),
        ...(counted < this.#starts ? [`${this.#starts - counted} starts that were to be gathered`] : []),
      ],
      twice: [
        ...[...ids].filter((id) => !accepted.has(id)),
        ...(counted > this.#starts ? [`${counted - this.#starts} starts were gathered more than once`] : []),
        ...atOnce(laned).map(([one, other]) => `${one} and ${other} were in one lane at once`),
      ],
      stuck: runs.filter(({ phase }) => phase !== 'finished').map(({ id }) => id),
    };
  }
}

/** Pairs of runs of a lane of which one began before the other had ended. */
function atOnce(runs) {
  const begun = runs.filter(({ executionStartedAt }) => executionStartedAt !== null);
  const inOrder = begun.toSorted((one, other) =>
    one.executionStartedAt < other.executionStartedAt ? -1 : 1,
  );
  const last = new Map();
  return inOrder.flatMap(({ id, concurrencyKey, executionStartedAt, finishedAt }) => {
    const before = last.get(concurrencyKey);
    last.set(concurrencyKey, { id, finishedAt });
    const overlaps = before && (before.finishedAt === null || before.finishedAt > executionStartedAt);
    return overlaps ? [[before.id, id]] : [];
  });
}
