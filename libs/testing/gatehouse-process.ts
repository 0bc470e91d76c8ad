import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 20_000;

export interface GatehouseOptions {
  /** Environment variables besides the port and the data directory, such as `DATABASE_URL`. */
  env?: Record<string, string>;
  /** The built program; by default `dist/src/main.js` below the working directory. */
  program?: string;
  /** By default a free one. */
  port?: number;
  /** In which it is started; by default the present one. */
  workingDirectory?: string;
  /** Kept after stopping; by default a temporary directory that is removed. */
  dataDirectory?: string;
  /** A data directory to begin with a copy of. */
  copyOf?: string;
}

/** A real Gatehouse in a process of its own. */
export interface GatehouseProcess {
  baseUrl: string;
  dataDirectory: string;
  process: ChildProcess;
  /** All that it printed so far. */
  output(): string;
  /** Ends it in order, as Ctrl-C does, and removes a temporary data directory. */
  stop(): Promise<void>;
  /** Ends it at once, without a chance to tidy up. */
  kill(): Promise<void>;
}

/**
 * Starts a Gatehouse on a free port of this machine and waits until it is ready.
 *
 * @throws Error with what it printed, when it ends or is not ready within two minutes
 */
export async function startGatehouse(options: GatehouseOptions = {}): Promise<GatehouseProcess> {
  const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'gatehouse-test-')));
  if (options.copyOf !== undefined) await cp(options.copyOf, dataDirectory, { recursive: true });
  const port = options.port ?? (await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const program = resolve(options.program ?? 'dist/src/main.js');
  const child = spawn(process.execPath, ['--max-semi-space-size=16', program], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      // So that a suite can be run with interpreters started ahead and without.
      GATEHOUSE_WARM: process.env['GATEHOUSE_WARM'],
      // Or forked.
      GATEHOUSE_TEMPLATES: process.env['GATEHOUSE_TEMPLATES'],
      // And by one Node while scripts run on another.
      GATEHOUSE_NODE: process.env['GATEHOUSE_NODE'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: String(port),
      GATEHOUSE_BASE_URL: baseUrl,
      GATEHOUSE_DATA: dataDirectory,
      ...options.env,
    },
    ...(options.workingDirectory !== undefined && { cwd: options.workingDirectory }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const tidy = async (): Promise<void> => {
    if (options.dataDirectory === undefined) await rm(dataDirectory, { recursive: true, force: true });
  };
  const running: GatehouseProcess = {
    baseUrl,
    dataDirectory,
    process: child,
    output: () => output,
    stop: async () => {
      child.kill('SIGINT');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
      await tidy();
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
  try {
    if (options.env?.['GATEHOUSE_ROLE'] === 'worker') await workerReady(running);
    else await ready(running);
    return running;
  } catch (error) {
    await running.kill();
    await tidy();
    throw new Error(`${(error as Error).message}\n${output}`, { cause: error });
  }
}

/** What the first start of a Gatehouse made: `{baseUrl, email, password, workspace, personalAccessToken, apiKey}`. */
export async function firstRun(gatehouse: GatehouseProcess): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(gatehouse.dataDirectory, 'first-run.json'), 'utf8')) as Record<
    string,
    string
  >;
}

async function ready({ baseUrl, process: child }: GatehouseProcess): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error('Gatehouse ended before it was ready:');
    const response = await fetch(`${baseUrl}/health/ready`).catch(() => null);
    if (response?.status === 200) return;
    await sleep(50);
  }
  throw new Error('Gatehouse was not ready in time:');
}

async function workerReady({ process: child, output }: GatehouseProcess): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!output().includes('is ready')) {
    if (child.exitCode !== null) throw new Error('The worker ended before it was ready:');
    if (Date.now() > deadline) throw new Error('The worker was not ready in time:');
    await sleep(50);
  }
}

/** A port that is free, by chance below those that the system gives to connections: none takes it before it is listened at. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
