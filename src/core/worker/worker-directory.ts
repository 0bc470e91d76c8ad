import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { removeTree } from '../../../libs/sandbox/index.js';
import { Settings } from '../config/index.js';
import { InstanceHeartbeat } from '../work/index.js';

/** A place on disk of this worker alone: several may share a data directory. What dead ones left is removed. */
@Injectable()
export class WorkerDirectory implements OnModuleInit, OnApplicationShutdown {
  readonly path: string;
  private readonly parent: string;
  private known: Promise<void> | null = null;

  constructor(
    private readonly instance: InstanceHeartbeat,
    settings: Settings,
  ) {
    this.parent = join(settings.dataDirectory, 'workers');
    this.path = join(this.parent, instance.id);
  }

  /** A folder in it, for one purpose. Not before this process is known to live, or another would remove it. */
  async folder(name: string): Promise<string> {
    await (this.known ??= this.instance.beat());
    const path = join(this.path, name);
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  }

  async onModuleInit(): Promise<void> {
    await this.folder('.');
    const others = (await readdir(this.parent)).filter((name) => name !== this.instance.id);
    const alive = await this.instance.aliveAmong(others);
    for (const name of others.filter((id) => !alive.has(id))) {
      // Also what an installation was doing to it when its worker died.
      await removeTree(join(this.parent, name));
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await removeTree(this.path);
  }
}
