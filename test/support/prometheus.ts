import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'vitest';

import { PATIENCE_MS } from '../../libs/testing/patience.js';
import { type Json, freePort } from '../../libs/testing/index.js';

const SHIPPED = 'deploy/prometheus';

const programs = ['prometheus', 'promtool'].map((name) =>
  (process.env['PATH'] ?? '')
    .split(':')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path)),
);

/** Whether this machine has Prometheus and its tool. */
export const hasPrometheus = programs.every((program) => program !== undefined);

if (!hasPrometheus) {
  console.log('Alerts and the dashboard are not tested: prometheus and promtool are not on the PATH.');
}

/** What Prometheus' own tool says of the files that are shipped. @throws with its words where they are wrong */
export async function promtool(...parameters: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('promtool', parameters, { cwd: SHIPPED });
  return stdout;
}

/** A real Prometheus with the shipped configuration, pointed at other processes and looking each second. */
export class Prometheus {
  private constructor(
    private readonly directory: string,
    private readonly process: ChildProcess,
    private readonly url: string,
  ) {}

  static async start(targets: readonly string[], token: string): Promise<Prometheus> {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-prometheus-'));
    const shipped = await readFile(join(SHIPPED, 'prometheus.yaml'), 'utf8');
    const configuration = shipped
      .replace(/_interval: 15s/g, '_interval: 1s')
      .replace(/targets: .*/, `targets: ${JSON.stringify(targets)}`);
    await writeFile(join(directory, 'prometheus.yaml'), configuration);
    await writeFile(join(directory, 'metrics-token'), token);
    await copyFile(join(SHIPPED, 'alerts.yaml'), join(directory, 'alerts.yaml'));
    const address = `127.0.0.1:${await freePort()}`;
    const child = spawn(
      'prometheus',
      [
        `--config.file=${join(directory, 'prometheus.yaml')}`,
        `--storage.tsdb.path=${join(directory, 'data')}`,
        `--web.listen-address=${address}`,
      ],
      { stdio: 'ignore' },
    );
    return new Prometheus(directory, child, `http://${address}`);
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGTERM');
    await ended;
    await rm(this.directory, { recursive: true, force: true });
  }

  /** The value of each series that an expression has now. */
  async query(expression: string): Promise<number[]> {
    const address = `${this.url}/api/v1/query?query=${encodeURIComponent(expression)}`;
    const { status, data, error } = (await (await fetch(address)).json()) as Json;
    expect(status, `${expression}: ${error}`).toBe('success');
    return data.result.map(({ value }: Json) => Number(value[1]));
  }

  /** Waits until an expression has series that fit. */
  async until(expression: string, fits: (values: number[]) => boolean): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const values = await this.query(expression).catch(() => null);
      if (values && fits(values)) return;
      if (Date.now() > deadline) throw new Error(`${expression} stayed ${JSON.stringify(values)}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}
