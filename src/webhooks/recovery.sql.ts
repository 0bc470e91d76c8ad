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
