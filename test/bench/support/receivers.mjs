import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/** Receivers in a process of their own. */
export async function startReceivers(count) {
  const program = fileURLToPath(new URL('receiver.mjs', import.meta.url));
  const child = fork(program, [String(count)]);
  const answer = () => new Promise((done) => child.once('message', done));
  const ask = (question, value) => {
    const answered = answer();
    child.send({ ask: question, value });
    return answered;
  };
  const { ports, ca } = await answer();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-ca-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, ca);
  return {
    ports,
    ca,
    caFile,
    reset: (what) => ask('reset', what),
    until: (total) => ask('until', total),
    arrivals: async () => (await ask('arrivals')).arrivals,
    stall: (index) => ask('stall', index),
    resume: (index) => ask('resume', index),
    stop: () => {
      child.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

/** What a delivery is measured against: POSTs over kept-alive connections and nothing else. */
export class BareLoop {
  constructor({ ca, ports }, concurrency) {
    this.ports = ports;
    this.concurrency = concurrency;
    this.agent = new https.Agent({ keepAlive: true, ca, maxSockets: Math.ceil(concurrency / ports.length) });
  }

  /** Resolves with its round trip in milliseconds. */
  post(index = 0) {
    const body = JSON.stringify({
      id: 'evt_01k7q3v5yzf8c9m2n4p6r8t0vw',
      type: 'secret.updated',
      createdAt: new Date().toISOString(),
      data: { name: 'SECRET_NUMBER_1', environment: 'production' },
    });
    const began = performance.now();
    return new Promise((done, fail) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const port = this.ports[index % this.ports.length];
      const options = { host: 'localhost', port, path: '/hook', method: 'POST', agent: this.agent, headers };
      const request = https.request(options, (response) => {
        response.resume();
        response.once('end', () => done(performance.now() - began));
      });
      request.once('error', fail);
      request.end(body);
    });
  }

  /** POSTs a second. */
  async rate(count) {
    let next = 0;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: this.concurrency }, async () => {
        while (next < count) await this.post(next++);
      }),
    );
    return (count * 1000) / (performance.now() - began);
  }

  close() {
    this.agent.destroy();
  }
}
