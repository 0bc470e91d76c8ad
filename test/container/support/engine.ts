import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { parseMounts } from '../../../libs/sandbox/cgroups.js';
import { type Ended, run, succeed } from './command.js';

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 30_000;
const CONFIGURATION = 'daemon.json';
/** Layers that share their files, and where the kernel or the file system has none, layers that are copied. */
const STORAGE_DRIVERS = ['overlay2', 'vfs'];

/** A Docker engine of the tests' own: everything of it is in one directory, and it touches no network of the machine. */
export class Engine {
  private constructor(
    private readonly directory: string,
    private readonly client: string,
    /** The cgroup above those of its containers, in each hierarchy. */
    readonly groups: string,
    private readonly daemon: ChildProcess,
  ) {}

  static async start(directory: string): Promise<Engine> {
    const client = await findClient();
    const groups = `gatehouse-containers-${process.pid}`;
    await mkdir(join(directory, 'client'), { recursive: true });
    // So that the machine's own is not read.
    await writeFile(join(directory, CONFIGURATION), '{}');
    for (const driver of STORAGE_DRIVERS) {
      const engine = new Engine(directory, client, groups, await startDaemon(directory, driver, groups));
      if (await engine.answers()) return engine;
      await engine.close();
    }
    throw new Error(`dockerd does not start:\n${await readFile(join(directory, 'log'), 'utf8')}`);
  }

  /** One that another process of the tests has started. */
  static at(directory: string, client: string): Pick<Engine, 'docker' | 'attempt'> {
    return new Engine(directory, client, '', null as never);
  }

  /** How other processes of the tests find it. */
  get place(): { directory: string; client: string } {
    return { directory: this.directory, client: this.client };
  }

  /** Runs a command of the client that has to succeed. @returns what it printed. */
  async docker(args: readonly string[], input?: NodeJS.ReadableStream): Promise<string> {
    return (await succeed(this.client, args, { env: this.environment(), ...(input && { input }) })).trim();
  }

  /** Runs a command of the client that may fail. */
  attempt(args: readonly string[]): Promise<Ended> {
    return run(this.client, args, { env: this.environment() });
  }

  /** Ends the containers that are left, then the engine. */
  async close(): Promise<void> {
    const { daemon } = this;
    if (daemon.exitCode === null && daemon.signalCode === null) {
      const left = (await this.attempt(['ps', '--all', '--quiet'])).stdout.split('\n').filter(Boolean);
      if (left.length > 0) await this.attempt(['rm', '--force', '--volumes', ...left]);
      const ended = new Promise<void>((done) => daemon.once('exit', () => done()));
      daemon.kill('SIGTERM');
      const timer = setTimeout(() => daemon.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    }
    await this.unmount();
    removeGroups(this.groups);
  }

  /** It leaves the machine's own network namespace mounted, and whatever else an engine that was killed has. */
  private async unmount(): Promise<void> {
    const paths = mountsOf(() => true).filter((path) => path.startsWith(`${this.directory}/`));
    for (const path of paths.reverse()) await run('umount', [path]);
  }

  private environment(): NodeJS.ProcessEnv {
    const { PATH, HOME } = process.env;
    return {
      PATH,
      HOME,
      DOCKER_HOST: `unix://${join(this.directory, 'socket')}`,
      DOCKER_CONFIG: join(this.directory, 'client'),
      DOCKER_BUILDKIT: '1',
    };
  }

  private async answers(): Promise<boolean> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (Date.now() < deadline && this.daemon.exitCode === null) {
      if ((await this.attempt(['version'])).code === 0) return true;
      await sleep(200);
    }
    return false;
  }
}

async function startDaemon(directory: string, driver: string, groups: string): Promise<ChildProcess> {
  const log = await open(join(directory, 'log'), 'w');
  const options = {
    'data-root': join(directory, driver),
    'exec-root': join(directory, 'run'),
    pidfile: join(directory, 'pid'),
    host: `unix://${join(directory, 'socket')}`,
    'config-file': join(directory, CONFIGURATION),
    bridge: 'none',
    iptables: 'false',
    'storage-driver': driver,
    'exec-opt': 'native.cgroupdriver=cgroupfs',
    'cgroup-parent': `/${groups}`,
  };
  const words = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const PATH = `${process.env['PATH']}:/usr/sbin:/sbin`;
  const child = spawn('dockerd', words, {
    env: { ...process.env, PATH },
    stdio: ['ignore', log.fd, log.fd],
  });
  child.once('error', () => undefined);
  await log.close();
  return child;
}

/** A client that builds with secrets: newer ones leave that to a plugin, which may be missing. */
async function findClient(): Promise<string> {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/bin'];
  for (const path of folders.map((folder) => join(folder, 'docker')).filter((path) => existsSync(path))) {
    const env = { ...process.env, DOCKER_BUILDKIT: '1' };
    if ((await run(path, ['build', '--help'], { env })).stdout.includes('--secret')) return path;
  }
  throw new Error('There is no docker that can build with secrets (BuildKit): apt-get install docker.io');
}

/** The engine leaves it behind. */
function removeGroups(name: string): void {
  for (const path of mountsOf((type) => type.startsWith('cgroup')))
    if (existsSync(join(path, name))) removeGroup(join(path, name));
}

/** Where file systems of these types are mounted, in the order of their mounting. */
function mountsOf(accepts: (type: string) => boolean): string[] {
  return parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'))
    .filter(({ type }) => accepts(type))
    .map(({ path }) => path);
}

function removeGroup(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    if (entry.isDirectory()) removeGroup(join(directory, entry.name));
  try {
    rmdirSync(directory);
  } catch {
    // Something in it still ends; an empty cgroup costs nothing.
  }
}
