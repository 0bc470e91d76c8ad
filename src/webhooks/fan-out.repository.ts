import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';
import type { DispatchedEvent } from '../core/outbox/event-consumers.js';
import type { NewDelivery } from './deliveries.repository.js';

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

/** Locks nothing: an endpoint that is being disabled may still get a delivery, which the workers' sweep fails. */
const RECEIVERS = `
  SELECT e.id AS "endpointId", v.id AS "eventId", v.type AS "eventType"
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS v(id, workspace_id, environment_id, type)
    JOIN webhook_endpoints e ON e.workspace_id = v.workspace_id AND e.enabled
      AND (v.environment_id IS NULL OR e.environment_id = v.environment_id)
      AND (e.event_types IS NULL OR v.type = ANY(e.event_types))
    JOIN workspaces w ON w.id = e.workspace_id AND w.deleted_at IS NULL
  ORDER BY v.id, e.id`;
