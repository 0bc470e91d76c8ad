import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/index.js';
import type { DispatchedEvent } from '../core/outbox/index.js';
import type { NewDelivery } from './deliveries.repository.js';
import { RECEIVERS } from './fan-out.sql.js';

@Injectable()
export class FanOutRepository {
  constructor(private readonly database: Database) {}

  /** Which endpoints get which of the events. */
  receivers(events: readonly DispatchedEvent[]): Promise<NewDelivery[]> {
    return this.database.query<NewDelivery>(RECEIVERS, [
      events.map(({ id }) => id),
      events.map(({ workspaceId }) => workspaceId),
      events.map(({ environmentId }) => environmentId),
      events.map(({ type }) => type),
    ]);
  }
}
