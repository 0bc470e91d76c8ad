import { insertColumns, type TrailingInsert } from '../core/database/index.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

const ORIGINAL = insertColumns(WebhookDelivery, 'id', 'endpointId', 'eventId', 'eventType');

/** SQL, since it is hot: each event comes here, and what it makes is written with the commit. */
export const insertOriginals: TrailingInsert = (parameter) => `
  INSERT INTO webhook_deliveries (${ORIGINAL.columns}) SELECT ${ORIGINAL.given} FROM ${ORIGINAL.recordset(parameter)}
  ON CONFLICT (event_id, endpoint_id) WHERE redelivery_of IS NULL DO NOTHING`;

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

/** Old ones of all endpoints, the oldest first. */
export const DELETE_OLD = deleteDeliveries('id < $1 ORDER BY id');
/** Those of an endpoint that is deleted. */
export const DELETE_OF_ENDPOINT = deleteDeliveries('endpoint_id = $1');

/**
 * SQL, since it is hot: all events of a dispatch at once. Locks nothing: an endpoint that is being disabled may still get a
 * delivery, which the workers' sweep fails.
 */
export const RECEIVERS = `
  SELECT e.id AS "endpointId", v.id AS "eventId", v.type AS "eventType"
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS v(id, workspace_id, environment_id, type)
    JOIN webhook_endpoints e ON e.workspace_id = v.workspace_id AND e.enabled
      AND (v.environment_id IS NULL OR e.environment_id = v.environment_id)
      AND (e.event_types IS NULL OR v.type = ANY(e.event_types))
    JOIN workspaces w ON w.id = e.workspace_id AND w.deleted_at IS NULL
  ORDER BY v.id, e.id`;

/** SQL: events that one endpoint should have got, by what there is of deliveries to it. */
export const RECOVERABLE = `
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
