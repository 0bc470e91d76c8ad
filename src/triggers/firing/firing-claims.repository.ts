import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { arraysOf, Database, inSeconds } from '../../core/database/index.js';
import type { DispatchedEvent } from '../../core/outbox/index.js';
import { type Claimed, claimedOf, LEASE_IS_LOST, type Places } from '../../core/work/index.js';
import {
  ADD_FIRINGS,
  CLAIM_FIRINGS,
  type ClaimedFiring,
  HOLD_FIRING,
  RENEW_FIRINGS,
} from './firing-claims.sql.js';
import type { FiredEvent } from './matches.js';
import { WaitingFiring } from './waiting-firing.entity.js';

/** Back in the queue. */
const BACK = { workerId: null, leaseUntil: null };

/** The event, and those of its triggers that have not fired yet; null: nobody has looked which they are. */
export type HeldFiring = FiredEvent & Pick<WaitingFiring, 'triggerIds'>;

/** The queue of the events that fire triggers. */
@Injectable()
export class FiringClaimsRepository {
  constructor(
    @InjectRepository(WaitingFiring) private readonly waiting: Repository<WaitingFiring>,
    private readonly database: Database,
  ) {}

  /** Has those of the events fired that an enabled trigger listens for. Returns how many these are. */
  async add(events: readonly DispatchedEvent[]): Promise<number> {
    const { count } = await this.database.execute(
      ADD_FIRINGS,
      arraysOf(events, 'id', 'workspaceId', 'environmentId', 'type'),
    );
    return count;
  }

  /** Takes events, fairly between owners and workspaces. The attempt is counted before it is made. */
  async claim(workerId: string, { room, share }: Places): Promise<Claimed<ClaimedFiring>> {
    return claimedOf(await this.database.query(CLAIM_FIRINGS, [workerId, room, share]));
  }

  /** Those that are still ours. */
  renew(claims: readonly ClaimedFiring[]): Promise<Pick<WaitingFiring, 'id'>[]> {
    return this.database.query(RENEW_FIRINGS, arraysOf(claims, 'id', 'claim'));
  }

  /** Locked until the transaction ends. null: it is not ours any more, or the event is gone. */
  hold({ id, claim }: ClaimedFiring): Promise<HeldFiring | null> {
    return this.database.one<HeldFiring>(HOLD_FIRING, [id, claim]);
  }

  /** Puts it back into the queue for the triggers that are left. */
  async goOn({ id, claim }: ClaimedFiring, triggerIds: string[], attempts: number): Promise<void> {
    await this.waiting.update({ id, claim }, { ...BACK, triggerIds, attempts });
  }

  /** Puts it back into the queue, for an attempt after some seconds. */
  async postpone({ id, claim }: ClaimedFiring, seconds: number): Promise<void> {
    await this.waiting.update({ id, claim }, { ...BACK, dueAt: inSeconds(seconds) });
  }

  async finish({ id, claim }: ClaimedFiring): Promise<void> {
    await this.waiting.delete({ id, claim });
  }

  /** Puts back what processes had that are gone. Returns how many these are. */
  async release(): Promise<number> {
    const update = this.waiting.createQueryBuilder().update().set(BACK);
    const { affected } = await update.where(`worker_id IS NOT NULL AND ${LEASE_IS_LOST}`).execute();
    return affected!;
  }
}
