import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { firstIdAt } from '../core/crypto/ids.js';
import { DeliveryPrunerRepository } from './delivery-pruner.repository.js';

const PRUNE_EVERY_MS = 60_000;
const KEPT_MS = 30 * 86_400_000;
/** Few enough to lock nobody out. */
const BATCH = 1_000;
const MOST_BATCHES = 100;

/** Deletes deliveries after 30 days, and those of endpoints that are no more, a few at a time. */
@Injectable()
export class DeliveryPruner {
  private readonly logger = new Logger('Deliveries');
  private pruning = false;

  constructor(private readonly deliveries: DeliveryPrunerRepository) {}

  @Interval(PRUNE_EVERY_MS)
  async prune(): Promise<void> {
    if (this.pruning) return;
    this.pruning = true;
    try {
      for (const id of await this.deliveries.deletedEndpoints()) {
        if (await this.repeat(() => this.deliveries.deleteOf(id, BATCH))) await this.deliveries.forget(id);
      }
      const oldest = firstIdAt('delivery', new Date(Date.now() - KEPT_MS));
      await this.repeat(() => this.deliveries.deleteBefore(oldest, BATCH));
    } catch (error) {
      this.logger.warn(`Old deliveries could not be deleted: ${String(error)}`);
    } finally {
      this.pruning = false;
    }
  }

  /** True: nothing is left. */
  private async repeat(deleteBatch: () => Promise<number>): Promise<boolean> {
    for (let batch = 0; batch < MOST_BATCHES; batch++) if ((await deleteBatch()) < BATCH) return true;
    return false;
  }
}
