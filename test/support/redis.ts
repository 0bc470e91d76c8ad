import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../libs/testing/index.js';

const NAMES = ['redis-server', 'valkey-server'];

/** The Redis or Valkey of this machine, or null. */
export const redisProgram: string | null =
  (process.env['PATH'] ?? '')
    .split(':')
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path)) ?? null;

if (redisProgram === null) {
  console.log('The queue is not tested on Redis: neither redis-server nor valkey-server is on the PATH.');
}

/** A real Redis on a port of its own, which can be stopped and started again. */
export class Redis {
  private process: ChildProcess | null = null;

  private constructor(
    private readonly directory: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<Redis> {
    const redis = new Redis(await mkdtemp(join(tmpdir(), 'gatehouse-redis-')), await freePort());
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = [
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--dir',
      this.directory,
    ];
    this.process = spawn(redisProgram!, options, { stdio: 'ignore' });
    while (!(await this.answers())) await new Promise((done) => setTimeout(done, 20));
  }

  /** Ends it, with all that it held. */
  async stop(): Promise<void> {
    const ended = new Promise((done) => this.process!.once('exit', done));
    this.process!.kill('SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    if (this.process?.exitCode === null && this.process.signalCode === null) await this.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Sends one command and returns the raw reply. */
  command(text: string): Promise<string> {
    return new Promise((done, fail) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(`${text}\r\n`));
      socket.once('data', (answer: Buffer) => {
        socket.destroy();
        done(answer.toString());
      });
      socket.once('error', fail);
    });
  }

  private async answers(): Promise<boolean> {
    return (await this.command('PING').catch(() => '')).startsWith('+PONG');
  }
}
