import { join } from 'node:path';

import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { shareOf } from '../../core/claims/fair-share.js';
import { Settings } from '../../core/config/settings.js';
import { isDatabaseAway } from '../../core/database/database-errors.js';
import { Instance } from '../../core/queue/instance.js';
import { BlobStore } from '../../core/storage/blob-store.js';
import { WorkerDirectory } from '../../core/worker/worker-directory.js';
import { MOST_CLAIMS } from '../build.status.js';
import { BuildDispatch } from '../build-dispatch.js';
import { RegistryReader } from '../registries/registries.js';
import { BuildBoxes, MOST_BUILDS } from './build-boxes.js';
import { BuildClaimsRepository, type BuildEnd, type ClaimedBuild } from './build-claims.repository.js';
import { BuildExecution } from './build-execution.js';

const LOOK_EVERY_MS = 1_000;
const RENEW_EVERY_MS = 5_000;
const RETRY_MS = 500;
/** How often in a row a claim is tried again because other workers were quicker. */
const MOST_MISSES = 5;
/** Before a build that failed through no fault of its own is begun anew. */
const PAUSE_MS = 1_000;

/** Takes builds from the database, a few at a time, and carries them out. */
@Injectable()
export class BuildDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Builds');
  private readonly active = new Map<BuildExecution, Promise<void>>();
  private looking: Promise<void> | null = null;
  private lookAgain = false;
  /** null until there are boxes. */
  private runtime: string | null = null;
  private folder!: string;
  private stopped = false;
  private preparing: Promise<void> | null = null;

  constructor(
    private readonly claims: BuildClaimsRepository,
    private readonly boxes: BuildBoxes,
    private readonly registries: RegistryReader,
    private readonly blobs: BlobStore,
    private readonly directory: WorkerDirectory,
    private readonly dispatch: BuildDispatch,
    private readonly instance: Instance,
    private readonly settings: Settings,
  ) {}

  /** The start of the process does not wait for this; whoever wants something installed does. */
  onApplicationBootstrap(): void {
    this.preparing = this.prepare().catch((error: unknown) =>
      this.logger.error(`This worker installs no dependencies: ${String(error)}`),
    );
  }

  private async prepare(): Promise<void> {
    await this.boxes.open();
    this.folder = await this.directory.folder('builds');
    const runtime = await this.boxes.runtime();
    await this.claims.announce(this.instance.id, runtime);
    this.runtime = runtime;
    this.dispatch.registerLocal(() => {
      if (!this.hasRoom) return false;
      void this.look();
      return true;
    });
  }

  @Interval(LOOK_EVERY_MS)
  lookByTheClock(): void {
    if (this.hasRoom) void this.look();
  }

  /** One look at a time; whoever asks meanwhile has another one follow. */
  async look(): Promise<void> {
    if (this.looking) this.lookAgain = true;
    else
      this.looking = this.takeWhileThereIsRoom().finally(() => {
        this.looking = null;
      });
    await this.looking;
  }

  @Interval(RENEW_EVERY_MS)
  async renew(): Promise<void> {
    if (this.active.size === 0) return;
    const executions = [...this.active.keys()];
    try {
      const ours = await this.claims.renew(executions.map(({ build }) => build));
      for (const execution of executions) if (!ours.has(execution.build.id)) execution.stop();
    } catch (error) {
      this.logger.warn(`Leases could not be renewed: ${String(error)}`);
    }
  }

  /** An installation is given back at once: another worker begins it anew. */
  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    await this.preparing;
    await this.looking;
    for (const execution of this.active.keys()) execution.stop();
    await Promise.all(this.active.values());
  }

  private get hasRoom(): boolean {
    return this.runtime !== null && !this.stopped && this.active.size < MOST_BUILDS;
  }

  private async takeWhileThereIsRoom(): Promise<void> {
    try {
      let misses = 0;
      do {
        this.lookAgain = false;
        const room = MOST_BUILDS - this.active.size;
        if (!this.hasRoom) return;
        const share = shareOf(MOST_BUILDS, this.settings.workspaceShare);
        const { items, missed } = await this.claims.claim(this.instance.id, { room, share }, this.runtime!);
        for (const build of items) this.start(build);
        misses = missed ? misses + 1 : 0;
      } while (this.lookAgain || (misses > 0 && misses < MOST_MISSES));
    } catch (error) {
      this.logger.warn(`Could not look for builds: ${String(error)}`);
    }
  }

  private start(build: ClaimedBuild): void {
    const execution = new BuildExecution(build, {
      boxes: this.boxes,
      registries: this.registries,
      blobs: this.blobs,
      directory: join(this.folder, `${build.id}-${build.claim}`),
    });
    const ended = this.carryOut(execution)
      .catch((error: unknown) => this.logger.error(`${build.id}: ${String(error)}`))
      .finally(() => {
        this.active.delete(execution);
        this.lookByTheClock();
      });
    this.active.set(execution, ended);
  }

  private async carryOut(execution: BuildExecution): Promise<void> {
    const { build } = execution;
    let end: BuildEnd | null;
    try {
      end = await execution.execute();
    } catch (error) {
      this.logger.error(`${build.id}: ${String(error)}`);
      end = build.claim < MOST_CLAIMS ? null : { status: 'failed', log: '', error: null };
      await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
    // Given back also where it is another's by now, which changes nothing.
    await this.untilWritten(() => (end ? this.claims.finish(build, end) : this.claims.release(build)));
  }

  private async untilWritten(write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        this.logger.warn(`The end of a build could not be written: ${String(error)}`);
        if (this.stopped || !isDatabaseAway(error)) throw error;
        await new Promise((done) => setTimeout(done, RETRY_MS));
      }
    }
  }
}
