import { Injectable } from '@nestjs/common';

import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import type { DeliveryStatus } from './delivery.dto.js';

export interface DeliveryRow {
  id: string;
  eventId: string;
  eventType: string;
  status: DeliveryStatus;
  attempts: number;
  lastStatus: number | null;
  lastAttemptAt: Date | null;
  nextAttemptAt: Date;
  redeliveryOf: string | null;
  createdAt: Date;
}

export interface AttemptRow {
  number: number;
  status: number | null;
  error: string | null;
  durationMs: number;
  answer: string | null;
  attemptedAt: Date;
}

export interface NewDelivery {
  endpointId: string;
  eventId: string;
  eventType: string;
  /** The failed or delivered one that it repeats. */
  redeliveryOf?: string | null;
}

@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  /** Due at once. An event that an endpoint has by itself already is left out. Returns how many were made. */
  async insert(deliveries: readonly NewDelivery[]): Promise<number> {
    const { count } = await this.database.execute(INSERT, [
      deliveries.map(() => newId('delivery')),
      deliveries.map(({ endpointId }) => endpointId),
      deliveries.map(({ eventId }) => eventId),
      deliveries.map(({ eventType }) => eventType),
      deliveries.map(({ redeliveryOf }) => redeliveryOf ?? null),
    ]);
    return count;
  }

  async insertRedelivery(id: string, delivery: Required<NewDelivery>): Promise<void> {
    await this.database.execute(INSERT, [
      [id],
      [delivery.endpointId],
      [delivery.eventId],
      [delivery.eventType],
      [delivery.redeliveryOf],
    ]);
  }

  /**
   * One that the caller attempts itself, once. It is due only later, for a worker to attempt it should the caller's process
   * die in between.
   */
  async insertOwn(id: string, { endpointId, eventId, eventType }: NewDelivery): Promise<void> {
    await this.database.execute(
      `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, max_attempts, next_attempt_at)
       VALUES ($1, $2, $3, $4, 1, now() + interval '1 minute')`,
      [id, endpointId, eventId, eventType],
    );
  }

  list(endpointId: string, after: string | null, count: number): Promise<DeliveryRow[]> {
    return this.database.query<DeliveryRow>(
      `SELECT ${COLUMNS} FROM webhook_deliveries
       WHERE endpoint_id = $1 AND id < coalesce($2, '~') ORDER BY id DESC LIMIT $3`,
      [endpointId, after, count],
    );
  }

  find(endpointId: string, id: string): Promise<DeliveryRow | null> {
    return this.database.one<DeliveryRow>(
      `SELECT ${COLUMNS} FROM webhook_deliveries WHERE endpoint_id = $1 AND id = $2`,
      [endpointId, id],
    );
  }

  /** Newest first, those before a number where one is given. */
  attempts(deliveryId: string, before: number | null, count: number): Promise<AttemptRow[]> {
    return this.database.query<AttemptRow>(
      `SELECT number, status, error, duration_ms AS "durationMs", answer, attempted_at AS "attemptedAt"
       FROM webhook_attempts WHERE delivery_id = $1 AND ($2::int IS NULL OR number < $2)
       ORDER BY number DESC LIMIT $3`,
      [deliveryId, before, count],
    );
  }

  /** Of what waits to be sent to an endpoint, a part; returns how many. */
  async failPending(endpointId: string, count: number): Promise<number> {
    const failed = await this.database.execute(
      `UPDATE webhook_deliveries SET status = 'failed'
       WHERE id IN (SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 AND status = 'pending' LIMIT $2)`,
      [endpointId, count],
    );
    return failed.count;
  }
}

const COLUMNS = `
  id, event_id AS "eventId", event_type AS "eventType", status, attempts, last_status AS "lastStatus",
  last_attempt_at AS "lastAttemptAt", next_attempt_at AS "nextAttemptAt", redelivery_of AS "redeliveryOf",
  created_at AS "createdAt"`;

const INSERT = `
  INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, redelivery_of)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
  ON CONFLICT (event_id, endpoint_id) WHERE redelivery_of IS NULL DO NOTHING`;
