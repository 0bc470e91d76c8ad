import { spawn } from 'node:child_process';
import { openSync, closeSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../../dist/libs/testing/gatehouse-process.js';

const RESTART_MS = 200;
const START_TIMEOUT_MS = 120_000;

/**
 * A Gatehouse as an operator has it: a process with everything and the embedded database, one that serves the API, one
 * that is a worker; each is started again whenever it ends.
 */
export class House {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-kills-'));
  /** Ends that nobody asked for, after a process was ready: what must not happen. */
  surprises = [];
  #roles = new Map();
  #ending = false;

  /** @param {Record<string, string>} env settings of all processes */
  static async start(env) {
    const house = new House();
    house.env = env;
    await house.#add('main', {});
    const { url } = JSON.parse(readFileSync(join(house.data, 'postgres.json'), 'utf8'));
    await house.#add('api', { GATEHOUSE_ROLE: 'api', DATABASE_URL: url });
    await house.#add('worker', { GATEHOUSE_ROLE: 'worker', DATABASE_URL: url });
    return house;
  }

  get data() {
    return join(this.directory, 'data');
  }

  /** What its first start made. */
  get firstRun() {
    return JSON.parse(readFileSync(join(this.data, 'first-run.json'), 'utf8'));
  }

  pid(role) {
    return this.#roles.get(role).child.pid;
  }

  url(role) {
    return `http://127.0.0.1:${this.#roles.get(role).port}`;
  }

  /** The next end of this process is no surprise. */
  expectEnd(role) {
    this.#roles.get(role).expected = true;
  }

  /** Ends all; the directory with the logs stays where `keep` says so. */
  async stop({ keep }) {
    this.#ending = true;
    for (const role of ['worker', 'api', 'main']) {
      const found = this.#roles.get(role);
      found?.child.kill('SIGINT');
      await found?.ended;
    }
    if (!keep) rmSync(this.directory, { recursive: true, force: true });
  }

  async #add(role, env) {
    this.#roles.set(role, { port: await freePort(), env });
    this.#begin(role);
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!this.#roles.get(role).ready) {
      if (Date.now() > deadline) throw new Error(`${role} was not ready in time; see ${this.#log(role)}`);
      await sleep(100);
    }
  }

  #begin(role) {
    const state = this.#roles.get(role);
    const log = openSync(this.#log(role), 'a');
    const child = spawn(process.execPath, ['dist/src/main.js'], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: String(state.port),
        GATEHOUSE_BASE_URL: `http://127.0.0.1:${state.port}`,
        GATEHOUSE_DATA: this.data,
        ...this.env,
        ...state.env,
      },
      stdio: ['ignore', 'pipe', log],
      detached: true,
    });
    closeSync(log);
    Object.assign(state, { child, ready: false, expected: false });
    child.stdout.on('data', (chunk) => (state.ready ||= chunk.toString().includes('is ready')));
    state.ended = new Promise((done) =>
      child.once('exit', (code, signal) => {
        if (state.ready && !state.expected && !this.#ending)
          this.surprises.push(`${role} ended by itself (${signal ?? `exit code ${code}`})`);
        done();
        if (!this.#ending) setTimeout(() => !this.#ending && this.#begin(role), RESTART_MS);
      }),
    );
  }

  #log(role) {
    return join(this.directory, `${role}.log`);
  }
}
