import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { deleteOldest, type Expired, Expires } from '../work/index.js';
import { RateBucket } from './rate-bucket.entity.js';

/** A bucket has long been full again by then, which is as if it were not there. */
const KEPT_MS = 86_400_000;

@Injectable()
export class BucketExpiryRepository {
  constructor(@InjectRepository(RateBucket) private readonly buckets: Repository<RateBucket>) {}

  @Expires({ after: KEPT_MS })
  deleteUnused(expired: Expired): Promise<number> {
    return deleteOldest(this.buckets, 'updatedAt', expired);
  }
}
