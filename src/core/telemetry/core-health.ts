import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';

import { ConnectionOptions, DATABASE_FULL, isDatabaseFull } from '../database/index.js';
import { Unavailable } from '../errors/index.js';
import { RUNS_QUEUE } from '../queue/index.js';
import { BlobStore } from '../storage/index.js';
import { InstanceHeartbeat } from '../work/index.js';
import { HealthChecks } from './health-checks.js';

/** An object store elsewhere may take longer than what is in the same network. */
const STORAGE_TIMEOUT_MS = 3_000;

/** What every process needs: the database, the queue's store and the place for files. */
@Injectable()
export class CoreHealth implements OnModuleInit {
  constructor(
    private readonly checks: HealthChecks,
    private readonly instance: InstanceHeartbeat,
    private readonly connection: ConnectionOptions,
    @InjectQueue(RUNS_QUEUE) private readonly runs: Queue,
    private readonly blobs: BlobStore,
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
}
