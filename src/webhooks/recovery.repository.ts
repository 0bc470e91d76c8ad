import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/index.js';
import type { NewDelivery } from './deliveries.repository.js';
import { RECOVERABLE } from './recovery.sql.js';

/** An event that was missed or failed, as it is to be delivered again; `redeliveryOf` is its last failed delivery, or null. */
export type RecoverableEvent = Required<NewDelivery>;

@Injectable()
export class RecoveryRepository {
  constructor(private readonly database: Database) {}

  /**
   * The next events since a moment that an endpoint should have got, in the order in which they happened. Without those
   * that were delivered or wait to be.
   *
   * @param after the event to go on after, or the least id that may be
   */
  recoverable(endpointId: string, since: Date, after: string, count: number): Promise<RecoverableEvent[]> {
    return this.database.query<RecoverableEvent>(RECOVERABLE, [endpointId, since, after, count]);
  }
}
