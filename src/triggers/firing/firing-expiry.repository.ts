import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../../core/crypto/ids.js';
import { Database } from '../../core/database/database.js';
import { type Expired, Expires } from '../../core/work/expires.decorator.js';

/** As long as events are kept. */
const KEPT_MS = 30 * 86_400_000;

/** What events fired goes once they are gone. */
@Injectable()
export class FiringExpiryRepository {
  constructor(private readonly database: Database) {}

  @Expires({ after: KEPT_MS })
  async deleteOld({ before, most }: Expired): Promise<number> {
    return (await this.database.execute(DELETE_FIRINGS, [firstIdAt('event', before), most])).count;
  }
}

const DELETE_FIRINGS = `
  WITH due AS MATERIALIZED (
    SELECT f.event_id, f.trigger_id FROM trigger_firings f
    WHERE f.event_id < $1 AND NOT EXISTS (SELECT FROM events e WHERE e.id = f.event_id)
    ORDER BY f.event_id LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM trigger_firings f USING due WHERE f.event_id = due.event_id AND f.trigger_id = due.trigger_id`;
