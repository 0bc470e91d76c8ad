import { Injectable } from '@nestjs/common';

import { Loop, type Pass } from '../core/work/index.js';
import { BATCH, DeliveryPrunerRepository } from './delivery-pruner.repository.js';

const PRUNE_EVERY_MS = 60_000;

/** Deletes the deliveries of endpoints that are no more, a few at a time. */
@Injectable()
export class DeliveryPruner {
  constructor(private readonly deliveries: DeliveryPrunerRepository) {}

  @Loop({ every: PRUNE_EVERY_MS, atStart: false })
  async prune({ stopping }: Pass): Promise<void> {
    for (const id of await this.deliveries.deletedEndpoints()) {
      for (let deleted = BATCH; deleted === BATCH;) {
        if (stopping.aborted) return;
        deleted = await this.deliveries.deleteOf(id, BATCH);
      }
      await this.deliveries.forget(id);
    }
  }
}
