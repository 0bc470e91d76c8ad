import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import { type Expired, Expires } from '../work/expires.decorator.js';

/** A key may be used anew after that. */
const KEPT_MS = 86_400_000;

@Injectable()
export class KeyExpiryRepository {
  constructor(private readonly database: Database) {}

  @Expires({ after: KEPT_MS })
  async deleteOld({ age, most }: Expired): Promise<number> {
    return (await this.database.execute(DELETE_KEYS, [age, most])).count;
  }
}

const DELETE_KEYS = `
  WITH due AS MATERIALIZED (
    SELECT credential_id, key FROM idempotency_keys WHERE created_at < now() - $1::float8 * interval '1 millisecond'
    ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM idempotency_keys k USING due WHERE k.credential_id = due.credential_id AND k.key = due.key`;
