import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { arraysOf, Database } from '../database/index.js';
import { deleteOldest, type Expired, Expires } from '../work/index.js';
import { RateBucket } from './rate-bucket.entity.js';
import { TAKE } from './rate-buckets.sql.js';

/** A bucket has long been full again by then, which is as if it were not there. */
const KEPT_MS = 86_400_000;

/** What is asked of a bucket, which holds `burst` tokens and gets `perSecond`. */
interface BucketOrder {
  key: string;
  burst: number;
  perSecond: number;
  wanted: number;
}

type TakenTokens = Pick<RateBucket, 'key' | 'granted' | 'tokens'>;

@Injectable()
export class RateBucketsRepository {
  constructor(
    @InjectRepository(RateBucket) private readonly buckets: Repository<RateBucket>,
    private readonly database: Database,
  ) {}

  /** As many whole tokens as there are, up to what is wanted. */
  take(orders: readonly BucketOrder[]): Promise<TakenTokens[]> {
    return this.database.query<TakenTokens>(TAKE, arraysOf(orders, 'key', 'burst', 'perSecond', 'wanted'));
  }

  async giveBack(key: string, burst: number): Promise<void> {
    await this.buckets.update({ key }, { tokens: () => `LEAST(${Number(burst)}, tokens + 1)` });
  }

  @Expires({ after: KEPT_MS })
  deleteUnused(expired: Expired): Promise<number> {
    return deleteOldest(this.buckets, 'updatedAt', expired);
  }
}
