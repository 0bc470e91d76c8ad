import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { BACK, FiringQueueRepository } from '../../automations/index.js';
import { arraysOf, Database } from '../../core/database/index.js';
import type { DispatchedEvent } from '../../core/outbox/index.js';
import { type Claimed, claimedOf, type Places } from '../../core/work/index.js';
import { ADD_FIRINGS, CLAIM_FIRINGS, type ClaimedFiring, HOLD_FIRING } from './firing-claims.sql.js';
import type { FiredEvent } from './matches.js';
import { WaitingFiring } from './waiting-firing.entity.js';

/** The event, and those of its triggers that have not fired yet; null: nobody has looked which they are. */
type HeldFiring = FiredEvent & Pick<WaitingFiring, 'triggerIds'> & { ageSeconds: number };

/** The queue of the events that fire triggers. */
@Injectable()
export class FiringClaimsRepository extends FiringQueueRepository<ClaimedFiring> {
  constructor(
    @InjectRepository(WaitingFiring) private readonly waiting: Repository<WaitingFiring>,
    private readonly database: Database,
  ) {
    super(waiting);
  }

  /** Has those of the events fired that an enabled trigger listens for. Returns how many these are. */
  async add(events: readonly DispatchedEvent[]): Promise<number> {
    const { count } = await this.database.execute(
      ADD_FIRINGS,
      arraysOf(events, 'id', 'workspaceId', 'environmentId', 'type'),
    );
    return count;
  }

  async claim(workerId: string, { room, share }: Places): Promise<Claimed<ClaimedFiring>> {
    return claimedOf(await this.database.query(CLAIM_FIRINGS, [workerId, room, share]));
  }

  /** Locked until the transaction ends. null: it is not ours any more, or the event is gone. */
  hold({ id, claim }: ClaimedFiring): Promise<HeldFiring | null> {
    return this.database.one<HeldFiring>(HOLD_FIRING, [id, claim]);
  }

  /** Puts it back into the queue for the triggers that are left. */
  async goOn({ id, claim }: ClaimedFiring, triggerIds: string[], attempts: number): Promise<void> {
    await this.waiting.update({ id, claim }, { ...BACK, triggerIds, attempts });
  }

  async finish({ id, claim }: ClaimedFiring): Promise<void> {
    await this.waiting.delete({ id, claim });
  }
}
