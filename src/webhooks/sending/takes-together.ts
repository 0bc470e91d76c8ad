import pLimit from 'p-limit';

import type { DueBatch } from './due.repository.js';

/** Connections to the database that it may have at a time. */
const AT_ONCE = 4;
/** Of one statement: each endpoint may bring two hundred deliveries with their events. */
const MOST_ENDPOINTS = 16;

/**
 * Takes leases on endpoints, with what is due there.
 *
 * @param held deliveries that the worker has already
 */
export type TakeDue = (endpointIds: string[], held: string[]) => Promise<Map<string, DueBatch>>;

interface Wish {
  endpointId: string;
  held: readonly string[];
  resolve: (batch: DueBatch | null) => void;
  reject: (error: unknown) => void;
}

/** Endpoints that ask for what is due at the same time are asked about together: one event may be for all of them. */
export class TakesTogether {
  private readonly limit = pLimit(AT_ONCE);
  private waiting: Wish[] = [];

  constructor(private readonly take: TakeDue) {}

  /** null: nothing is due there, or another worker has the lease. */
  of(endpointId: string, held: readonly string[]): Promise<DueBatch | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ endpointId, held, resolve, reject });
      void this.limit(() => this.next());
    });
  }

  /** Once for each wish: those that find nothing waiting were served by an earlier one. */
  private async next(): Promise<void> {
    const wishes = this.waiting.splice(0, MOST_ENDPOINTS);
    if (wishes.length === 0) return;
    try {
      // In the order of their ids, so that two workers that want the same endpoints do not wait for each other.
      const ids = wishes.map(({ endpointId }) => endpointId).sort();
      const batches = await this.take(
        ids,
        wishes.flatMap(({ held }) => held),
      );
      for (const { endpointId, resolve } of wishes) resolve(batches.get(endpointId) ?? null);
    } catch (error) {
      for (const { reject } of wishes) reject(error);
    }
  }
}
