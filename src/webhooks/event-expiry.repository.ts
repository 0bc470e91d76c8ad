import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { deleteOldEvents } from '../core/outbox/index.js';
import { type Expired, Expires } from '../core/work/index.js';

/** Events can be delivered again for so long, and stay for as long as a delivery of theirs does. */
@Injectable()
export class EventExpiryRepository {
  constructor(private readonly database: Database) {}

  @Expires({ after: 'events' })
  async deleteOld({ before, age, most }: Expired): Promise<number> {
    return (await this.database.execute(DELETE_EVENTS, [firstIdAt('event', before), age, most])).count;
  }
}

/** Redeliveries may still refer to an event that is older than they are. */
const DELETE_EVENTS = deleteOldEvents(`
  NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id AND d.redelivery_of IS NULL)
  AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id AND d.redelivery_of IS NOT NULL)`);
