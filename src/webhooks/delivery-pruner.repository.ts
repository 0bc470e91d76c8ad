import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import { type Expired, Expires } from '../core/work/expires.decorator.js';

const KEPT_MS = 30 * 86_400_000;
/** Few enough to lock nobody out. */
export const BATCH = 1_000;

@Injectable()
export class DeliveryPrunerRepository {
  constructor(private readonly database: Database) {}

  /** With all about them. */
  @Expires({ after: KEPT_MS, batch: BATCH })
  async deleteOld({ before, most }: Expired): Promise<number> {
    const row = await this.database.one<{ count: number }>(deleteDeliveries('id < $1 ORDER BY id'), [
      firstIdAt('delivery', before),
      most,
    ]);
    return row!.count;
  }

  async deletedEndpoints(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>('SELECT id FROM deleted_webhook_endpoints');
    return rows.map(({ id }) => id);
  }

  async deleteOf(endpointId: string, count: number): Promise<number> {
    const row = await this.database.one<{ count: number }>(deleteDeliveries('endpoint_id = $1'), [
      endpointId,
      count,
    ]);
    return row!.count;
  }

  /** Not before an event that was just being dispatched can have left another delivery. */
  async forget(endpointId: string): Promise<void> {
    await this.database.execute(
      `DELETE FROM deleted_webhook_endpoints WHERE id = $1 AND deleted_at < now() - interval '2 minutes'`,
      [endpointId],
    );
  }
}

const deleteDeliveries = (which: string): string => `
  WITH gone AS (
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE ${which} LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING id
  ), attempts AS (
    DELETE FROM webhook_attempts WHERE delivery_id IN (SELECT id FROM gone)
  )
  SELECT count(*) AS count FROM gone`;
