import { join } from 'node:path';

import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { BlobStore } from '../../core/storage/index.js';
import {
  type Claimed,
  Drain,
  InstanceHeartbeat,
  LeasedWork,
  type LeasedWorkOptions,
  Loop,
  type Places,
  RENEW_EVERY_MS,
  Waker,
} from '../../core/work/index.js';
import { WorkerDirectory } from '../../core/worker/index.js';
import { BUILDS_QUEUE } from '../build.status.js';
import { RegistryReader } from '../registries/registries.js';
import { BuildBoxes, MOST_BUILDS } from './build-boxes.js';
import { BuildClaimsRepository } from './build-claims.repository.js';
import type { ClaimedBuild } from './build-claims.sql.js';
import { BuildExecution } from './build-execution.js';
import { BuildWork } from './build-work.js';

const LOOK_EVERY_MS = 1_000;

/** Takes builds from the database, a few at a time, and carries them out. */
@Injectable()
export class BuildDispatcher implements OnApplicationBootstrap, LeasedWorkOptions<ClaimedBuild, BuildWork> {
  private readonly logger = new Logger('Builds');
  readonly places = MOST_BUILDS;
  readonly share: number;
  private readonly building = new LeasedWork<ClaimedBuild, BuildWork, { id: string }>(this);
  /** null until it is known. */
  private runtime: string | null = null;
  private folder!: string;
  private preparing: Promise<void> | null = null;

  constructor(
    private readonly claims: BuildClaimsRepository,
    private readonly boxes: BuildBoxes,
    private readonly registries: RegistryReader,
    private readonly blobs: BlobStore,
    private readonly directory: WorkerDirectory,
    private readonly waker: Waker,
    private readonly instance: InstanceHeartbeat,
    settings: Settings,
  ) {
    this.share = settings.workspaceShare;
  }

  /** The start of the process does not wait for this; whoever wants something installed does. */
  onApplicationBootstrap(): void {
    this.preparing = this.prepare().catch((error: unknown) =>
      this.logger.error(`This worker installs no dependencies: ${String(error)}`),
    );
  }

  @Loop({
    every: LOOK_EVERY_MS,
    wake: BUILDS_QUEUE,
    hasRoom: (self: BuildDispatcher) => self.runtime !== null && self.building.hasRoom,
    needsDisk: true,
    stage: 'taking',
  })
  async take(): Promise<boolean> {
    return (await this.building.take()).again;
  }

  @Loop({ every: RENEW_EVERY_MS, atStart: false, stage: 'holding' })
  async renew(): Promise<void> {
    await this.building.renew((claims) => this.claims.renew(claims));
  }

  /** An installation is given back at once: another worker begins it anew. */
  @Drain('taking')
  async giveBack(): Promise<void> {
    await this.preparing;
    for (const work of this.building.all()) work.giveBack();
    await this.building.close();
  }

  claim(places: Places): Promise<Claimed<ClaimedBuild>> {
    return this.claims.claim(this.instance.id, places, this.runtime!);
  }

  begin(build: ClaimedBuild): BuildWork {
    const { boxes, registries, blobs, claims } = this;
    const directory = join(this.folder, `${build.id}-${build.claim}`);
    return new BuildWork(new BuildExecution(build, { boxes, registries, blobs, directory }), claims);
  }

  onRoom(): void {
    this.waker.look(BUILDS_QUEUE);
  }

  onError({ id }: ClaimedBuild, error: unknown): void {
    this.logger.error(String(error), { buildId: id });
  }

  private async prepare(): Promise<void> {
    this.folder = await this.directory.folder('builds');
    const runtime = await this.boxes.runtime();
    await this.instance.announceRuntime(runtime);
    this.runtime = runtime;
    this.waker.look(BUILDS_QUEUE);
  }
}
