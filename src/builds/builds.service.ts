import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { InvalidRequest, Unavailable } from '../core/errors/index.js';
import { Lifecycle } from '../core/lifecycle/index.js';
import { BlobMissing, BlobStore } from '../core/storage/index.js';
import type { InspectedArchive } from '../../libs/archive/index.js';
import { Waker, Watches } from '../core/work/index.js';
import type { BuildRecipe } from './build-recipe.js';
import { BUILDS_QUEUE, BUILD_TOPIC } from './build.status.js';
import { BuildsRepository } from './builds.repository.js';
import type { BuildRow } from './builds.sql.js';
import { contentKey } from './content-key.js';

/** What a version is given besides its archive. */
export interface Installed {
  depsKey: string;
  /** The stored bytes take the place of the archive rather than being laid over it. */
  depsWhole: boolean;
  /** The size of the folder with its dependencies, compressed, in bytes. */
  archiveBytes: number;
  buildLog: string;
}

/** Until a worker takes it. */
const QUEUED_PATIENCE_MS = 120_000;
/** Altogether. An installation itself may take 300 s; what is left is for fetching, packing and storing. */
const PATIENCE_MS = 400_000;
const WORKER_PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 500;

/** Has the dependencies of archives installed by workers, once for the same content. */
@Injectable()
export class BuildsService {
  constructor(
    private readonly builds: BuildsRepository,
    private readonly watches: Watches,
    private readonly waker: Waker,
    private readonly lifecycle: Lifecycle,
    private readonly blobs: BlobStore,
  ) {}

  /**
   * Returns when the dependencies are installed, which was done already or takes minutes. Asking again for the same joins what goes on.
   *
   * @param archiveKey where the archive's bytes are stored
   * @throws InvalidRequest at `build` or `archive` when the installation fails, with the end of what it printed
   * @throws Unavailable when no worker does it in time
   */
  async install(
    workspaceId: string,
    archive: InspectedArchive,
    archiveKey: string,
    recipe: BuildRecipe,
  ): Promise<Installed> {
    const runtime = await this.runtime();
    const key = await contentKey(recipe, archive, runtime);
    const build = await this.usable({ workspaceId, contentKey: key, runtime, recipe, archiveKey });
    const end = await this.ended(build);
    if (end?.status === 'failed' && end.error !== null) throw failure(end.error, end.log, recipe);
    if (end?.status !== 'succeeded') throw unfinished(end);
    const whole = recipe.files === null;
    return {
      depsKey: end.depsKey!,
      depsWhole: whole,
      archiveBytes: end.depsBytes! + (whole ? 0 : archive.bytes.length),
      buildLog: end.log,
    };
  }

  /** Those of the archives that a build was made from, and may be made from again. */
  sourcesAmong(archiveKeys: readonly string[]): Promise<Set<string>> {
    return this.builds.sourcesAmong(archiveKeys);
  }

  /** The build to wait for. One whose result was lost from the file store is made again. */
  private async usable(wanted: Parameters<BuildsRepository['findOrQueue']>[0]): Promise<BuildRow> {
    let build = await this.builds.findOrQueue(wanted);
    if (build.status === 'succeeded' && !(await this.isStored(build.depsKey!))) {
      await this.builds.discard(build.id);
      build = await this.builds.findOrQueue(wanted);
    }
    if (build.status === 'queued') this.waker.wake(BUILDS_QUEUE, [build.id]);
    return build;
  }

  /** The build when it has ended, or as it was when patience or the process did; null: it is gone. */
  private async ended(build: BuildRow): Promise<BuildRow | null> {
    if (isOver(build)) return build;
    const begin = Date.now();
    const watch = this.watches.open(BUILD_TOPIC, build.id, this.lifecycle.stopping);
    try {
      return await watch.until(
        () => this.builds.find(build.id),
        (now) => (now === null || isOver(now) ? 0 : begin + patienceFor(now) - Date.now()),
      );
    } finally {
      watch.close();
    }
  }

  private async isStored(key: string): Promise<boolean> {
    try {
      await this.blobs.size(key);
      return true;
    } catch (error) {
      if (error instanceof BlobMissing) return false;
      throw error;
    }
  }

  private async runtime(): Promise<string> {
    for (const end = Date.now() + WORKER_PATIENCE_MS; ;) {
      const runtime = await this.builds.commonRuntime();
      if (runtime !== null) return runtime;
      if (Date.now() > end)
        throw new Unavailable(
          'The dependencies cannot be installed: no worker is running. Send the request again when one is.',
          30,
        );
      await sleep(LOOK_EVERY_MS);
    }
  }
}

function isOver({ status }: BuildRow): boolean {
  return status === 'succeeded' || status === 'failed';
}

function patienceFor({ status }: BuildRow): number {
  return status === 'queued' ? QUEUED_PATIENCE_MS : PATIENCE_MS;
}

function failure(error: string, log: string, { command }: BuildRecipe): InvalidRequest {
  const path = command === null ? 'archive' : 'build';
  const tail = log.trimEnd();
  const message =
    tail === '' ? `${error}; it printed nothing` : `${error}. The end of what it printed:\n${tail}`;
  return new InvalidRequest(`${path}: ${error}`, [{ path, message }]);
}

function unfinished(build: BuildRow | null): Unavailable {
  if (build?.status === 'failed')
    return new Unavailable('The worker could not install the dependencies; its log says why.', 30);
  return build?.status === 'queued'
    ? new Unavailable(
        'No worker has taken the installation of the dependencies yet. Send the request again to go on waiting.',
        10,
      )
    : new Unavailable(
        'The dependencies are still being installed. Send the request again to go on waiting.',
        10,
      );
}
