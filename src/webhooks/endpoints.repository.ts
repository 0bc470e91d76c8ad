import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';

export interface EndpointRow {
  id: string;
  url: string;
  description: string | null;
  enabled: boolean;
  eventTypes: string[] | null;
  environment: string;
  consecutiveFailures: number;
  lastStatus: number | null;
  lastAttemptAt: Date | null;
  createdAt: Date;
  sealedSecret: Buffer;
}

/** Where an endpoint is looked for: another environment's do not exist there. */
export interface EndpointPlace {
  workspaceId: string;
  environmentId: string;
}

export interface NewEndpointRow extends EndpointPlace {
  id: string;
  url: string;
  description: string | null;
  eventTypes: string[] | null;
  sealedSecret: Buffer;
  createdByUserId: string | null;
}

export interface EndpointChanges {
  url: string;
  description: string | null;
  eventTypes: string[] | null;
}

/** Beside the newest. */
const MOST_EARLIER_SECRETS = 5;

/** In SQL: the secrets that sign beside the newest one of the endpoint with this id, in order of age; null for none. */
export const earlierSecretsOf = (endpointId: string): string => `NULLIF(ARRAY(
  SELECT s.sealed_secret FROM webhook_earlier_secrets s
  WHERE s.endpoint_id = ${endpointId} AND s.signs_until > now() ORDER BY s.id DESC), '{}')`;

@Injectable()
export class EndpointsRepository {
  constructor(private readonly database: Database) {}

  /** How many a workspace has, in all environments. Whoever makes another one waits until this transaction ends. */
  async countLocked(workspaceId: string): Promise<number> {
    await this.database.execute('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
    const row = await this.database.one<{ count: number }>(
      'SELECT count(*) AS count FROM webhook_endpoints WHERE workspace_id = $1',
      [workspaceId],
    );
    return row!.count;
  }

  async insert(endpoint: NewEndpointRow): Promise<void> {
    await this.database.execute(
      `INSERT INTO webhook_endpoints
         (id, workspace_id, environment_id, url, description, event_types, sealed_secret, created_by_user_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        endpoint.id,
        endpoint.workspaceId,
        endpoint.environmentId,
        endpoint.url,
        endpoint.description,
        endpoint.eventTypes,
        endpoint.sealedSecret,
        endpoint.createdByUserId,
      ],
    );
  }

  list(place: EndpointPlace, after: string | null, count: number): Promise<EndpointRow[]> {
    return this.database.query<EndpointRow>(
      `${FIND} AND e.id < coalesce($3, '~') ORDER BY e.id DESC LIMIT $4`,
      [place.workspaceId, place.environmentId, after, count],
    );
  }

  find(place: EndpointPlace, id: string): Promise<EndpointRow | null> {
    return this.database.one<EndpointRow>(`${FIND} AND e.id = $3`, [
      place.workspaceId,
      place.environmentId,
      id,
    ]);
  }

  /** Locked until the transaction ends. */
  lock(place: EndpointPlace, id: string): Promise<EndpointRow | null> {
    return this.database.one<EndpointRow>(`${FIND} AND e.id = $3 FOR NO KEY UPDATE OF e`, [
      place.workspaceId,
      place.environmentId,
      id,
    ]);
  }

  async update(id: string, { url, description, eventTypes }: EndpointChanges): Promise<void> {
    await this.database.execute(
      'UPDATE webhook_endpoints SET url = $2, description = $3, event_types = $4 WHERE id = $1',
      [id, url, description, eventTypes],
    );
  }

  async enable(id: string): Promise<void> {
    await this.database.execute(
      'UPDATE webhook_endpoints SET enabled = true, consecutive_failures = 0 WHERE id = $1',
      [id],
    );
  }

  /** Part of a transaction. What signed until now goes on signing beside the new secret for a day, the newest five at most. */
  async rotate(id: string, sealedSecret: Buffer): Promise<void> {
    await this.database.execute(
      `INSERT INTO webhook_earlier_secrets (endpoint_id, sealed_secret, signs_until)
       SELECT id, sealed_secret, now() + interval '24 hours' FROM webhook_endpoints WHERE id = $1`,
      [id],
    );
    await this.database.execute('UPDATE webhook_endpoints SET sealed_secret = $2 WHERE id = $1', [
      id,
      sealedSecret,
    ]);
    await this.database.execute(
      `DELETE FROM webhook_earlier_secrets
       WHERE endpoint_id = $1 AND (signs_until <= now() OR id NOT IN (
         SELECT id FROM webhook_earlier_secrets WHERE endpoint_id = $1 ORDER BY id DESC LIMIT ${MOST_EARLIER_SECRETS}))`,
      [id],
    );
  }

  /** With its secret. Its history is deleted afterwards, bit by bit: nobody can read it any more. */
  async delete(id: string): Promise<void> {
    await this.database.execute(
      `WITH gone AS (DELETE FROM webhook_endpoints WHERE id = $1 RETURNING id)
       INSERT INTO deleted_webhook_endpoints (id) SELECT id FROM gone`,
      [id],
    );
  }
}

const FIND = `
  SELECT e.id, e.url, e.description, e.enabled, e.event_types AS "eventTypes", v.name AS environment,
    e.consecutive_failures AS "consecutiveFailures", e.last_status AS "lastStatus",
    e.last_attempt_at AS "lastAttemptAt", e.created_at AS "createdAt", e.sealed_secret AS "sealedSecret"
  FROM webhook_endpoints e JOIN environments v ON v.id = e.environment_id
  WHERE e.workspace_id = $1 AND e.environment_id = $2`;
