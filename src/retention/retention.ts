import { setTimeout as pause } from 'node:timers/promises';

import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Database } from '../core/database/database.js';
import { Plans } from '../usage/index.js';
import { RetentionRepository } from './retention.repository.js';

const SWEEP_EVERY_MS = 60_000;
/** Between two statements, for others to have the database to themselves. */
const PAUSE_MS = 20;
const BATCH = 500;
/** A run takes its log and files with it. */
const RUN_BATCH = 100;
/** So that a backlog of one kind does not keep the others waiting. */
const MOST_BATCHES = 200;

interface Kind {
  name: string;
  batch: number;
  delete: (most: number) => Promise<number>;
}

/**
 * Deletes what is kept for a time only and has no pruner of its own, as files and deliveries have. In every process, but
 * one at a time: an advisory lock for each batch says which.
 */
@Injectable()
export class Retention implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Retention');
  private readonly kinds: readonly Kind[];
  private sweeping: Promise<void> | null = null;
  private open = true;

  constructor(
    private readonly database: Database,
    private readonly repository: RetentionRepository,
    plans: Plans,
  ) {
    this.kinds = [
      {
        name: 'runs',
        batch: RUN_BATCH,
        delete: (most) => repository.deleteRuns(plans.retentionByPlan(), most),
      },
      { name: 'events', batch: BATCH, delete: (most) => repository.deleteEvents(most) },
      { name: 'firings', batch: BATCH, delete: (most) => repository.deleteTriggerFirings(most) },
      { name: 'idempotency keys', batch: BATCH, delete: (most) => repository.deleteIdempotencyKeys(most) },
      { name: 'rate buckets', batch: BATCH, delete: (most) => repository.deleteRateBuckets(most) },
      { name: 'invitations', batch: BATCH, delete: (most) => repository.deleteInvitations(most) },
    ];
  }

  /** Whoever asks while a sweep is under way waits for that one. */
  @Interval(SWEEP_EVERY_MS)
  sweep(): Promise<void> {
    this.sweeping ??= this.sweepAll().finally(() => {
      this.sweeping = null;
    });
    return this.sweeping;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.open = false;
    await this.sweeping;
  }

  private async sweepAll(): Promise<void> {
    for (const kind of this.kinds) {
      try {
        await this.sweepKind(kind);
      } catch (error) {
        this.logger.warn(
          `Old ${kind.name} could not all be deleted; the next round goes on: ${String(error)}`,
        );
      }
    }
  }

  private async sweepKind(kind: Kind): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES && this.open; batch++) {
      if ((await this.deleteBatch(kind)) < kind.batch) return;
      await pause(PAUSE_MS);
    }
  }

  private deleteBatch(kind: Kind): Promise<number> {
    return this.database.transaction(async () =>
      (await this.repository.claim()) ? kind.delete(kind.batch) : 0,
    );
  }
}
