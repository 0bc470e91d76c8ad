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
