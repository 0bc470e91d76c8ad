import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import { type Expired, Expires } from '../work/expires.decorator.js';

/** A bucket has long been full again by then, which is as if it were not there. */
const KEPT_MS = 86_400_000;

@Injectable()
export class BucketExpiryRepository {
  constructor(private readonly database: Database) {}

  @Expires({ after: KEPT_MS })
  async deleteUnused({ age, most }: Expired): Promise<number> {
    return (await this.database.execute(DELETE_BUCKETS, [age, most])).count;
  }
}

const DELETE_BUCKETS = `
  WITH due AS MATERIALIZED (
    SELECT key FROM rate_buckets WHERE updated_at < now() - $1::float8 * interval '1 millisecond'
    ORDER BY updated_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM rate_buckets b USING due WHERE b.key = due.key`;
