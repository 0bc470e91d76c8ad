import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';
import type { NewDelivery } from './deliveries.repository.js';

/** An event that was missed or failed, as it is to be delivered again; `redeliveryOf` is its last failed delivery, or null. */
export type RecoverableEvent = Required<NewDelivery>;

@Injectable()
export class RecoveryRepository {
  constructor(private readonly database: Database) {}

  /**
   * The next events since a moment that an endpoint should have got, without those that were delivered or wait to be, in the
   * order in which they happened.
   *
   * @param after the event to go on after, or the least id that may be
   */
  recoverable(endpointId: string, since: Date, after: string, count: number): Promise<RecoverableEvent[]> {
    return this.database.query<RecoverableEvent>(RECOVERABLE, [endpointId, since, after, count]);
  }
}

const RECOVERABLE = `
  SELECT e.id AS "endpointId", v.id AS "eventId", v.type AS "eventType",
    (SELECT max(d.id) FROM webhook_deliveries d WHERE d.event_id = v.id AND d.endpoint_id = e.id) AS "redeliveryOf"
  FROM webhook_endpoints e JOIN events v ON v.workspace_id = e.workspace_id
  WHERE e.id = $1 AND v.id > $3 AND v.created_at >= GREATEST($2, e.created_at) AND v.type <> 'ping'
    AND (v.environment_id IS NULL OR v.environment_id = e.environment_id)
    AND (e.event_types IS NULL OR v.type = ANY(e.event_types))
    AND NOT EXISTS (
      SELECT FROM webhook_deliveries d
      WHERE d.event_id = v.id AND d.endpoint_id = e.id AND d.status IN ('pending', 'delivered'))
  ORDER BY v.id LIMIT $4`;
