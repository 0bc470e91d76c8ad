import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, type Repository } from 'typeorm';

import { BACK, WaitingRepository } from '../automations/index.js';
import { newId } from '../core/crypto/index.js';
import { Database, NOW } from '../core/database/index.js';
import type { OutboxEvent } from '../core/outbox/index.js';
import {
  type Claim,
  type Claimed,
  claimedOf,
  deleteOldest,
  type Expired,
  Expires,
  type Places,
} from '../core/work/index.js';
import { EventHandling } from './event-handling.entity.js';
import { CLAIM_HANDLINGS, CLAIMED_EVENT, type ClaimedHandling } from './event-handlings.sql.js';

type NewHandling = Pick<EventHandling, 'workspaceId' | 'eventId' | 'handler'>;

export interface ClaimedEvent extends Pick<
  OutboxEvent,
  | 'id'
  | 'workspaceId'
  | 'environmentId'
  | 'type'
  | 'causedByRunId'
  | 'createdAt'
  | 'traceparent'
  | 'hops'
  | 'chainEventId'
> {
  data: Record<string, unknown>;
  /** The workspace's. */
  slug: string;
  name: string;
  /** The name of it; null: an event of the whole workspace. */
  environment: string | null;
  /** Of the run behind it; null: there is none. */
  runHops: number | null;
  runChainEventId: string | null;
  byAgent: boolean | null;
}

/** The queue of each handler. */
@Injectable()
export class EventHandlingsRepository extends WaitingRepository {
  constructor(
    @InjectRepository(EventHandling) private readonly handlings: Repository<EventHandling>,
    private readonly database: Database,
  ) {
    super(handlings);
  }

  /** Those that are queued already stay as they are. */
  async add(handlings: readonly NewHandling[]): Promise<void> {
    await this.handlings
      .createQueryBuilder()
      .insert()
      .values(handlings.map((handling) => ({ ...handling, id: newId('handling') })))
      .orIgnore()
      .updateEntity(false)
      .execute();
  }

  /** Takes some of a handler's, fairly between owners and workspaces. The attempt is counted before it is made. */
  async claim(workerId: string, { room, share }: Places, handler: string): Promise<Claimed<ClaimedHandling>> {
    return claimedOf(await this.database.query(CLAIM_HANDLINGS, [workerId, room, share, handler]));
  }

  /** null: it is not ours any more, or the event or its workspace is gone. */
  event({ id, claim }: Claim): Promise<ClaimedEvent | null> {
    return this.database.one<ClaimedEvent>(CLAIMED_EVENT, [id, claim]);
  }

  async finish({ id, claim }: Claim): Promise<void> {
    await this.handlings.delete({ id, claim });
  }

  /** False: another process has it by now. */
  async setAside({ id, claim }: Claim): Promise<boolean> {
    const { affected } = await this.handlings.update({ id, claim }, { ...BACK, setAsideAt: NOW });
    return affected === 1;
  }

  countSetAside(handler: string): Promise<number> {
    return this.handlings.countBy({ handler, setAsideAt: Not(IsNull()) });
  }

  /** For how many seconds the first has waited. */
  async lag(handler: string): Promise<number> {
    const first = await this.handlings
      .createQueryBuilder('h')
      .select('extract(epoch FROM now() - min(h.createdAt))::float8', 'seconds')
      .where({ handler, workerId: IsNull(), setAsideAt: IsNull() })
      .getRawOne<{ seconds: number | null }>();
    return first?.seconds ?? 0;
  }

  /** With their events: what was set aside, and what waits for a handler that is gone. */
  @Expires({ after: 'events' })
  deleteOld(expired: Expired): Promise<number> {
    return deleteOldest(this.handlings, 'createdAt', expired);
  }
}
