import { Injectable } from '@nestjs/common';

import { type ChainCount, EventChainsRepository } from '../../core/outbox/event-chains.repository.js';

/** So many runs come of one first event, through however many triggers. */
export const MOST_RUNS = 200;

/** Limits how many runs a chain of triggers has, as the number of hops limits its length. */
@Injectable()
export class ChainLimitsService {
  constructor(private readonly chains: EventChainsRepository) {}

  /** Room for runs of these chains, one for each time that a chain is named. What is not used is to be given back. */
  async reserve(eventIds: readonly string[]): Promise<ChainRoom> {
    const wanted = new ChainRoom();
    for (const id of eventIds) wanted.add(id);
    const reserved = eventIds.length === 0 ? [] : await this.chains.reserve(wanted.counts(), MOST_RUNS);
    return new ChainRoom(reserved);
  }

  async giveBack(room: ChainRoom): Promise<void> {
    const unused = room.counts();
    if (unused.length > 0) await this.chains.giveBack(unused);
  }
}

/** How many more runs each chain may have, by the event that began it. */
export class ChainRoom {
  private readonly left: Map<string, number>;

  constructor(counts: readonly ChainCount[] = []) {
    this.left = new Map(counts.map(({ eventId, runs }) => [eventId, runs]));
  }

  add(eventId: string): void {
    this.left.set(eventId, (this.left.get(eventId) ?? 0) + 1);
  }

  /** False: there is none left. */
  use(eventId: string): boolean {
    const left = this.left.get(eventId) ?? 0;
    if (left > 0) this.left.set(eventId, left - 1);
    return left > 0;
  }

  counts(): ChainCount[] {
    return [...this.left].flatMap(([eventId, runs]) => (runs > 0 ? [{ eventId, runs }] : []));
  }
}
