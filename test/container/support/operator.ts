import { chown, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { inject } from 'vitest';

import { freePort } from '../../../libs/testing/index.js';
import { paste } from '../../support/paste.js';
import { SmallDisk } from '../../support/small-disk.js';
import { engine } from './container.js';

const PAGES = 'docs/guide';
const BLOCK = /^```sh\n([^]*?)^```$/gm;
/** What the pages call the container and its volume. */
const NAME = 'gatehouse';
/** The user of the image. */
const USER = 1000;

/** Somebody who has the folder of a release, an engine and the pages of the guide, and types what these show. */
export class Operator {
  private disk: SmallDisk | null = null;

  private constructor(
    readonly folder: string,
    readonly port: number,
  ) {}

  static async begin(): Promise<Operator> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-operator-'));
    await mkdir(join(folder, 'deploy'));
    await copyFile('deploy/seccomp.json', join(folder, 'deploy', 'seccomp.json'));
    return new Operator(folder, await freePort());
  }

  async end(): Promise<void> {
    await this.loseMachine();
    await rm(this.folder, { recursive: true, force: true });
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /**
   * Types the one block of a page that begins like this.
   *
   * @param insteadOf what this machine or this day has in place of what the page names
   * @returns what that printed
   */
  async follow(page: string, beginning: string, insteadOf: Record<string, string> = {}): Promise<string> {
    const text = await readFile(join(PAGES, page), 'utf8');
    const blocks = [...text.matchAll(BLOCK)].map(([, block]) => block!);
    const [block, ...others] = blocks.filter((each) => each.startsWith(beginning));
    if (block === undefined || others.length > 0)
      throw new Error(`${page} has ${others.length + Number(block !== undefined)} blocks like: ${beginning}`);
    return this.type(
      Object.entries({ ...insteadOf, '/mnt/': `${this.folder}/mnt/` }).reduce(
        (lines, [shown, here]) => lines.replaceAll(shown, here),
        block,
      ),
    );
  }

  /** The engine of the tests has no network of its own, and these commands run as root already. */
  type(lines: string): Promise<string> {
    const { client, directory } = inject('engine');
    const here = `
      docker() {
        if [ "$1" = run ]; then
          shift
          set -- run --network=host --env=PORT=${this.port} --env=GATEHOUSE_WORKER_PORT=${this.port} "$@"
        fi
        command ${client} "$@"
      }
      sudo() { "$@"; }
    `;
    return paste(`${here}\n${lines}`, this.folder, {
      DOCKER_HOST: `unix://${join(directory, 'socket')}`,
      DOCKER_CONFIG: join(directory, 'client'),
    });
  }

  /** Another machine, whose disk is empty and can be filled. */
  async newMachine(megabytes: number): Promise<SmallDisk> {
    this.disk = await SmallDisk.mount(megabytes);
    await chown(this.disk.path, USER, USER);
    const place = ['type=none', 'o=bind', `device=${this.disk.path}`].map((option) => `--opt=${option}`);
    await engine().docker(['volume', 'create', ...place, NAME]);
    return this.disk;
  }

  /** With its disk, at once. */
  async loseMachine(): Promise<void> {
    await engine().attempt(['rm', '--force', NAME]);
    await engine().attempt(['volume', 'rm', NAME]);
    await this.disk?.unmount();
    this.disk = null;
  }

  /** What the container has printed. */
  async log(): Promise<string> {
    const { stdout, stderr } = await engine().attempt(['logs', NAME]);
    return stdout + stderr;
  }
}
