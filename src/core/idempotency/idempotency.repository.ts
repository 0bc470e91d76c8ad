import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, type Repository } from 'typeorm';

import { Database } from '../database/index.js';
import { deleteOldest, type Expired, Expires } from '../work/index.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { BEGIN } from './idempotency.sql.js';

/** A key may be used anew after that. */
const KEPT_MS = 86_400_000;

export type KeyName = Pick<IdempotencyKey, 'credentialId' | 'key'>;

/** A key as one request uses it, which writes under it only while it is the holder. */
export type HeldKey = KeyName & Pick<IdempotencyKey, 'holder'>;

@Injectable()
export class IdempotencyRepository {
  constructor(
    @InjectRepository(IdempotencyKey) private readonly keys: Repository<IdempotencyKey>,
    private readonly database: Database,
  ) {}

  /** Takes the key, if it is free, older than a day or left behind by a process that has died. Not within a transaction. */
  async begin(key: HeldKey, fingerprint: Buffer, instanceId: string): Promise<boolean> {
    return (await this.database.execute(...BEGIN({ ...key, fingerprint, instanceId }))).count === 1;
  }

  find({ credentialId, key }: KeyName): Promise<IdempotencyKey | null> {
    return this.keys.findOneBy({ credentialId, key });
  }

  /** In the transaction that makes the resource. False: another request has taken the key meanwhile, so do not commit. */
  async commit(key: HeldKey, resourceKind: string, resourceId: string): Promise<boolean> {
    const committed = { state: 'committed', resourceKind, resourceId } as const;
    return (await this.keys.update({ ...key, state: 'started' }, committed)).affected === 1;
  }

  /** False: another request has taken the key meanwhile. */
  async complete(key: HeldKey, status: number, body: Buffer): Promise<boolean> {
    const responded = { state: 'responded', status, body } as const;
    return (await this.keys.update({ ...key, state: Not('responded') }, responded)).affected === 1;
  }

  async release(key: HeldKey): Promise<void> {
    await this.keys.delete({ ...key, state: 'started' });
  }

  async dropResponses(): Promise<void> {
    await this.keys.update({ body: Not(IsNull()) }, { body: null });
  }

  /**
   * Releases keys of this process that no request in progress holds. Young ones are left alone: their request may have
   * begun since the list was made.
   */
  async releaseAbandoned(instanceId: string, underWay: string[]): Promise<void> {
    await this.keys
      .createQueryBuilder()
      .delete()
      .where(`instanceId = :instanceId AND state = 'started' AND holder <> ALL (:underWay)`)
      .andWhere(`createdAt < now() - interval '30 seconds'`)
      .setParameters({ instanceId, underWay })
      .execute();
  }

  @Expires({ after: KEPT_MS })
  deleteOld(expired: Expired): Promise<number> {
    return deleteOldest(this.keys, 'createdAt', expired);
  }
}
