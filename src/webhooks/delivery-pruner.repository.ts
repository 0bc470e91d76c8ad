import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';

@Injectable()
export class DeliveryPrunerRepository {
  constructor(private readonly database: Database) {}

  /** Deliveries with lesser ids and all about them; returns how many. */
  async deleteBefore(id: string, count: number): Promise<number> {
    const row = await this.database.one<{ count: number }>(deleteDeliveries('id < $1 ORDER BY id'), [
      id,
      count,
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
