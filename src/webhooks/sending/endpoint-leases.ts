import { Injectable } from '@nestjs/common';

import { Batcher } from '../../core/work/index.js';
import { EndpointSecrets } from '../endpoint-secrets.js';
import type { SendTarget } from './attempt.js';
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

interface TakeRequest {
  endpointId: string;
  held: readonly string[];
}

/** Connections to the database that takes may have at a time. */
const AT_ONCE = 4;
/** Of one statement: each endpoint may bring two hundred deliveries with their events. */
const MOST_ENDPOINTS = 16;
const MOST_RELEASES = 500;

/** This worker's leases on endpoints. Those that are taken at the same time share a statement. */
@Injectable()
export class EndpointLeases {
  private readonly takes: Batcher<TakeRequest, DueBatch | undefined>;
  private readonly releases: Batcher<string>;

  constructor(
    private readonly due: DueRepository,
    private readonly secrets: EndpointSecrets,
  ) {
    this.takes = new Batcher((requests) => this.takeAll(requests), { most: MOST_ENDPOINTS, atOnce: AT_ONCE });
    this.releases = new Batcher((ids) => this.due.release(ids), { most: MOST_RELEASES, atOnce: 1 });
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
    return this.releases.add(endpointId);
  }

  private async takeAll(requests: readonly TakeRequest[]): Promise<(DueBatch | undefined)[]> {
    // In the order of their ids, against deadlocks between workers.
    const ids = requests.map(({ endpointId }) => endpointId).sort();
    const held = requests.flatMap((request) => request.held);
    const batches = await this.due.take(ids, held);
    return requests.map(({ endpointId }) => batches.get(endpointId));
  }
}
