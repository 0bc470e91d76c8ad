import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';

import { OutboxEvent } from './outbox-event.entity.js';

/** What a chain has had: its runs, and the bytes of their inputs. */
export interface ChainUse {
  runs: number;
  bytes: number;
}

/** Counts what each chain of triggers, handlers and scripts has had at the event that began it, for all processes together. */
@Injectable()
export class EventChainsRepository {
  constructor(@InjectRepository(OutboxEvent) private readonly events: Repository<OutboxEvent>) {}

  /** Nobody else counts for the chain until the transaction ends. null: its event is gone. */
  async lock(eventId: string): Promise<ChainUse | null> {
    const event = await this.events.findOne({
      select: { chainRuns: true, chainBytes: true },
      where: { id: eventId },
      lock: { mode: 'for_no_key_update' },
    });
    return event && { runs: event.chainRuns, bytes: event.chainBytes };
  }

  /** Counts one more call of a handler. False: there were as many already, or its event is gone. */
  async takeCall(eventId: string, most: number): Promise<boolean> {
    const { affected } = await this.events
      .createQueryBuilder()
      .update()
      .set({ chainCalls: () => 'chain_calls + 1' })
      .where({ id: eventId, chainCalls: LessThan(most) })
      .execute();
    return affected === 1;
  }

  async add(eventId: string, { runs, bytes }: ChainUse): Promise<void> {
    await this.events
      .createQueryBuilder()
      .update()
      .set({ chainRuns: () => 'chain_runs + :runs', chainBytes: () => 'chain_bytes + :bytes' })
      .where({ id: eventId })
      .setParameters({ runs, bytes })
      .execute();
  }
}
