import { Injectable } from '@nestjs/common';

import { EndpointSecrets } from '../endpoint-secrets.js';
import type { SendTarget } from './attempt.js';
import { Batcher } from './batcher.js';
import { type DueBatch, DueRepository } from './due.repository.js';
import type { DueDelivery } from './due.sql.js';

/** An endpoint that is ours for the time of a lease, and the next deliveries to it. */
export interface TakenBatch {
  /** Whom its workspace counts for. */
  owner: string;
  target: SendTarget;
  consecutiveFailures: number;
  deliveries: DueDelivery[];
}

interface Wish {
  endpointId: string;
  held: readonly string[];
}

/** Connections to the database that takes may have at a time. */
const AT_ONCE = 4;
/** Of one statement: each endpoint may bring two hundred deliveries with their events. */
const MOST_ENDPOINTS = 16;

/** This worker's leases on endpoints. Endpoints that are taken at the same time are taken together: one event may be for all. */
@Injectable()
export class EndpointLeases {
  private readonly takes: Batcher<Wish, DueBatch | undefined>;

  constructor(
    private readonly due: DueRepository,
    private readonly secrets: EndpointSecrets,
  ) {
    this.takes = new Batcher((wishes) => this.takeAll(wishes), { most: MOST_ENDPOINTS, atOnce: AT_ONCE });
  }

  /**
   * null: nothing is due there, or another worker has the lease.
   *
   * @param held deliveries that this worker has already
   */
  async take(endpointId: string, held: readonly string[]): Promise<TakenBatch | null> {
    const batch = await this.takes.add({ endpointId, held });
    if (!batch) return null;
    const { owner, consecutiveFailures, deliveries } = batch;
    return { owner, target: this.secrets.targetOf(batch), consecutiveFailures, deliveries };
  }

  release(endpointId: string): Promise<void> {
    return this.due.release(endpointId);
  }

  private async takeAll(wishes: readonly Wish[]): Promise<(DueBatch | undefined)[]> {
    // In the order of their ids, against deadlocks between workers.
    const ids = wishes.map(({ endpointId }) => endpointId).sort();
    const held = wishes.flatMap((wish) => wish.held);
    const batches = await this.due.take(ids, held);
    return wishes.map(({ endpointId }) => batches.get(endpointId));
  }
}
