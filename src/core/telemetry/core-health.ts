import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';

import { ConnectionOptions, DATABASE_FULL, isDatabaseFull } from '../database/index.js';
import { Unavailable } from '../errors/index.js';
import { RUNS_QUEUE } from '../queue/index.js';
import { BlobStore } from '../storage/index.js';
import { HeldCopy, InstanceHeartbeat } from '../work/index.js';
import { HealthChecks } from './health-checks.js';

/** An object store elsewhere may take longer than what is in the same network. */
const STORAGE_TIMEOUT_MS = 3_000;

const HELD = 'held, as this is a restored copy: `admin resume` has it go on';

/** What every process needs: the database, the queue's store and the place for files. */
@Injectable()
export class CoreHealth implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly checks: HealthChecks,
    private readonly instance: InstanceHeartbeat,
    private readonly connection: ConnectionOptions,
    @InjectQueue(RUNS_QUEUE) private readonly runs: Queue,
    private readonly blobs: BlobStore,
    private readonly copy: HeldCopy,
  ) {}

  onModuleInit(): void {
    this.checks.register('database', async () => {
      const problem = this.connection.problem();
      if (problem !== null) throw new Unavailable(problem);
      // A write: a standby and a full disk still read.
      await this.instance.beat().catch((error: unknown) => {
        throw isDatabaseFull(error) ? new Unavailable(DATABASE_FULL) : error;
      });
      return 'ok';
    });
    this.checks.register('queue', async () => {
      await this.runs.getWaitingCount();
      return 'ok';
    });
    this.checks.register(
      'storage',
      async () => {
        await this.blobs.ready();
        return 'ok';
      },
      { timeoutMs: STORAGE_TIMEOUT_MS },
    );
  }

  /** Once it is known: only of a copy there is something to say. */
  onApplicationBootstrap(): void {
    if (!this.copy.isHeld) return;
    this.checks.register('automations', () => Promise.resolve(this.copy.isHeld ? HELD : 'ok'));
  }
}
