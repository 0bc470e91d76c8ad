import { setTimeout as sleep } from 'node:timers/promises';

import { inject } from 'vitest';

import { type Ended } from './command.js';
import { confinement, graceSeconds } from './compose.js';
import { Engine } from './engine.js';

const READY_TIMEOUT_MS = 90_000;

export interface ContainerOptions {
  env?: Record<string, string | number>;
  /** Of `docker run`, such as `--volume=…`. */
  options?: string[];
  image?: string;
}

/** The engine that all tests share. */
export const engine = (): Pick<Engine, 'docker' | 'attempt'> => {
  const { directory, client } = inject('engine');
  return Engine.at(directory, client);
};

/** Runs a command in a new container, confined as in compose.yaml, to its end. */
export function tryIn(command: string[], options: string[] = confinement()): Promise<Ended> {
  return engine().attempt(['run', '--rm', '--network=none', ...options, inject('image'), ...command]);
}

/** A container of the image, confined as compose.yaml says, in the machine's network. */
export class Container {
  private constructor(
    readonly id: string,
    readonly baseUrl: string,
    private readonly docker: Pick<Engine, 'docker' | 'attempt'>,
  ) {}

  /** Does not wait until it is ready. */
  static async start(
    { env = {}, options = [], image }: ContainerOptions,
    { docker = engine(), port }: { docker?: Pick<Engine, 'docker' | 'attempt'>; port: number },
  ): Promise<Container> {
    const words = Object.entries({ PORT: port, GATEHOUSE_WORKER_PORT: port, ...env }).map(
      ([name, value]) => `--env=${name}=${value}`,
    );
    const id = await docker.docker([
      ...['run', '--detach', '--network=host', ...confinement(), ...words, ...options],
      image ?? inject('image'),
    ]);
    return new Container(id, `http://127.0.0.1:${port}`, docker);
  }

  /** All that it printed. */
  async output(): Promise<string> {
    const { stdout, stderr } = await this.docker.attempt(['logs', this.id]);
    return stdout + stderr;
  }

  /** @param format a template such as `{{.State.Health.Status}}` */
  inspect(format: string): Promise<string> {
    return this.docker.docker(['inspect', `--format=${format}`, this.id]);
  }

  async exec(...command: string[]): Promise<string> {
    return this.docker.docker(['exec', this.id, ...command]);
  }

  async ready(): Promise<this> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    for (;;) {
      const response = await fetch(`${this.baseUrl}/health/ready`).catch(() => null);
      if (response?.status === 200) return this;
      const running = (await this.inspect('{{.State.Running}}')) === 'true';
      if (!running || Date.now() > deadline)
        throw new Error(`The container is not ready:\n${await this.output()}`);
      await sleep(200);
    }
  }

  /** Ends it as compose would. @returns its exit code, which is 137 if it had to be killed. */
  async stop(): Promise<number> {
    await this.docker.docker(['stop', `--time=${graceSeconds()}`, this.id]);
    return Number(await this.inspect('{{.State.ExitCode}}'));
  }

  async remove(): Promise<void> {
    await this.docker.attempt(['rm', '--force', '--volumes', this.id]);
  }
}
