import { IsNull, type Repository } from 'typeorm';

import { arraysOf, inSeconds, isPast } from '../../core/database/index.js';
import { type Claim, type Claimed, LEASE, LEASE_IS_LOST, type Places } from '../../core/work/index.js';
import type { WaitingEntity } from './waiting.entity.js';

/** Back in the queue. */
export const BACK = { workerId: null, leaseUntil: null };

/** What waits in a table whose rows other processes take as well. */
export abstract class WaitingRepository {
  constructor(private readonly queue: Repository<WaitingEntity>) {}

  /** Those that are still ours. */
  async renew(claims: readonly Claim[]): Promise<{ id: string }[]> {
    const [ids, numbers] = arraysOf(claims, 'id', 'claim');
    const { raw } = await this.update()
      .set({ leaseUntil: () => `now() + ${LEASE}` })
      .where('worker_id IS NOT NULL')
      .andWhere('(id, claim) IN (SELECT * FROM unnest(:ids::text[], :numbers::int[]))', { ids, numbers })
      .returning('id')
      .execute();
    return raw as { id: string }[];
  }

  /** Puts it back into the queue, for an attempt after some seconds. `attempts`: where those so far do not count. */
  async postpone({ id, claim }: Claim, seconds: number, attempts?: number): Promise<void> {
    const counted = attempts === undefined ? {} : { attempts };
    await this.update()
      .set({ ...BACK, ...counted, dueAt: inSeconds(seconds) })
      .where({ id, claim })
      .execute();
  }

  /** Has all that are due of a workspace, and that nobody fires, wait for some seconds. */
  async postponeAll(workspaceId: string, seconds: number): Promise<void> {
    await this.update()
      .set({ dueAt: inSeconds(seconds) })
      .where({ workspaceId, workerId: IsNull(), dueAt: isPast() })
      .execute();
  }

  /** Puts back what processes had that are gone. Returns how many these are. */
  async release(): Promise<number> {
    const { affected } = await this.update()
      .set(BACK)
      .where(`worker_id IS NOT NULL AND ${LEASE_IS_LOST}`)
      .execute();
    return affected!;
  }

  private update() {
    return this.queue.createQueryBuilder().update();
  }
}

/** The queue of what is to fire. */
export abstract class FiringQueueRepository<C extends Claim> extends WaitingRepository {
  /** Takes some, fairly between owners and workspaces. The attempt is counted before it is made. */
  abstract claim(workerId: string, places: Places): Promise<Claimed<C>>;
}
