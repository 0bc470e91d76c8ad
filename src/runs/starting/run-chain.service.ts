import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Conflict } from '../../core/errors/index.js';
import { ChainRoom, EventChainsRepository } from '../../core/outbox/index.js';
import { Run } from '../run.entity.js';

/** Where a run stands in the chain of the one whose script starts it. */
export type ChainPosition = Pick<Run, 'hops' | 'apiHops' | 'chainEventId'>;

/** No script's run starts it. */
export const NO_CHAIN: ChainPosition = { hops: 0, apiHops: 0, chainEventId: null };

/** So many runs may start one another through the API, one after another. */
const MOST_API_HOPS = 32;

/** Has the runs that scripts start through the API count for the chain that their own run belongs to. */
@Injectable()
export class RunChainService {
  constructor(
    @InjectRepository(Run) private readonly runs: Repository<Run>,
    private readonly chains: EventChainsRepository,
  ) {}

  /**
   * Counts runs with inputs of these sizes in the transaction that writes them. Where nobody's chain has begun, it begins with the first one's own event, as it
   * would with any other change that a script makes.
   *
   * @throws Conflict where the chain is too long, or has no room for a further run
   */
  async count(causedByRunId: string, sizes: readonly number[], eventId: string): Promise<ChainPosition> {
    const select = { hops: true, apiHops: true, chainEventId: true } as const;
    const { hops, apiHops, chainEventId } =
      (await this.runs.findOne({ select, where: { id: causedByRunId } })) ?? NO_CHAIN;
    if (apiHops >= MOST_API_HOPS) {
      throw refusal(`at most ${MOST_API_HOPS} runs start one another, and this would have been one more`);
    }
    const room = new ChainRoom(chainEventId === null ? NO_USE : await this.chains.lock(chainEventId));
    for (const bytes of sizes) {
      const reason = room.take(bytes);
      if (reason !== null) throw refusal(reason);
    }
    if (chainEventId !== null) await this.chains.add(chainEventId, room.used);
    return { hops, apiHops: apiHops + 1, chainEventId: chainEventId ?? eventId };
  }

  /** Counts what many runs have had whose chain begins with the event of the first, which is written by now. */
  begin(eventId: string, sizes: readonly number[]): Promise<void> {
    return this.chains.add(eventId, {
      runs: sizes.length,
      bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    });
  }
}

const NO_USE = { runs: 0, bytes: 0 };

const refusal = (reason: string): Conflict =>
  new Conflict(`A script asks for this run, and its own run belongs to a chain: ${reason}.`);
