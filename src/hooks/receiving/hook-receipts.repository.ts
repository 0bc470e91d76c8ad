import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { firstIdAt } from '../../core/crypto/index.js';
import { arraysOf, Database, newestFirst } from '../../core/database/index.js';
import { deleteFirst, deleteOldest, type Expired, Expires } from '../../core/work/index.js';
import { HookReceipt } from '../hook-receipt.entity.js';
import { HookSighting } from '../hook-sighting.entity.js';
import { SEE } from './hook-receipts.sql.js';

export type NewReceipt = Omit<HookReceipt, 'createdAt'>;
/** Without what may be large. */
export type ListedReceipt = Pick<
  HookReceipt,
  'id' | 'createdAt' | 'verdict' | 'reason' | 'providerId' | 'bodyBytes' | 'runId'
>;
export type Sighting = Pick<HookSighting, 'hookId' | 'key'>;

const LISTED = ['id', 'createdAt', 'verdict', 'reason', 'providerId', 'bodyBytes', 'runId'] as const;
const DAY_MS = 86_400_000;

@Injectable()
export class HookReceiptsRepository {
  constructor(
    @InjectRepository(HookReceipt) private readonly receipts: Repository<HookReceipt>,
    @InjectRepository(HookSighting) private readonly sightings: Repository<HookSighting>,
    private readonly database: Database,
  ) {}

  /** The body only of what has started a run: nothing else bounds how many others come. */
  async insert(receipts: readonly NewReceipt[]): Promise<void> {
    const insert = this.receipts.createQueryBuilder().insert().updateEntity(false);
    const kept = receipts.map((receipt) => ({
      ...receipt,
      body: receipt.runId === null ? null : receipt.body,
    }));
    await insert.values(kept).execute();
  }

  /** Those that no hook has seen within a day; each of them is given once. */
  see(sightings: readonly Sighting[]): Promise<Sighting[]> {
    return this.database.query<Sighting>(SEE, arraysOf(sightings, 'hookId', 'key'));
  }

  list(hookId: string, after: string | null, count: number): Promise<ListedReceipt[]> {
    const query = this.receipts
      .createQueryBuilder('r')
      .select(LISTED.map((property) => `r.${property}`))
      .where({ hookId });
    return newestFirst(query, after, count).getMany();
  }

  find(hookId: string, id: string): Promise<HookReceipt | null> {
    return this.receipts.findOneBy({ id, hookId });
  }

  @Expires({ after: 'receipts' })
  deleteOld({ before, most }: Expired): Promise<number> {
    const old = this.receipts
      .createQueryBuilder('r')
      .where('r.id < :end', { end: firstIdAt('receipt', before) })
      .orderBy('r.id');
    return deleteFirst(this.receipts, old, most);
  }

  /** An hour longer than they count. */
  @Expires({ after: DAY_MS + 3_600_000 })
  deleteSeen(expired: Expired): Promise<number> {
    return deleteOldest(this.sightings, 'createdAt', expired);
  }
}
