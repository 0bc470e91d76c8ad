import { insertColumns, type TrailingInsert } from '../core/database/index.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

const ORIGINAL = insertColumns(WebhookDelivery, 'id', 'endpointId', 'eventId', 'eventType');
const UNLESS_THERE = 'ON CONFLICT (event_id, endpoint_id) WHERE redelivery_of IS NULL DO NOTHING';

/** SQL, since it is hot: each event comes here, and what it makes is written with the commit. */
export const insertOriginals: TrailingInsert = (parameter) => `
  INSERT INTO webhook_deliveries (${ORIGINAL.columns}) SELECT ${ORIGINAL.given} FROM ${ORIGINAL.recordset(parameter)}
  ${UNLESS_THERE}`;

/** SQL: hundreds of rows at once, by a text that does not depend on how many. */
export const INSERT_MANY = `
  INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, redelivery_of)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
  ${UNLESS_THERE}`;

/** As the index on what is pending says it. */
export const SOME_PENDING = `
  SELECT d.id FROM webhook_deliveries d WHERE d.endpoint_id = :endpointId AND d.status = 'pending' LIMIT :count`;

/** SQL: deliveries with their attempts, in one statement. */
const deleteDeliveries = (which: string): string => `
  WITH gone AS (
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE ${which} LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING id
  ), attempts AS (
    DELETE FROM webhook_attempts WHERE delivery_id IN (SELECT id FROM gone)
  )
  SELECT count(*) AS count FROM gone`;

export const DELETE_OLD = deleteDeliveries('id < $1 ORDER BY id');
export const DELETE_OF_ENDPOINT = deleteDeliveries('endpoint_id = $1');
