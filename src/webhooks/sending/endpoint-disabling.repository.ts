import { Injectable } from '@nestjs/common';

import { columns, type RowOf } from '../../core/database/columns.js';
import { Database } from '../../core/database/database.js';
import { WebhookEndpoint } from '../webhook-endpoint.entity.js';

export type DisabledEndpoint = RowOf<typeof ENDPOINT> & { workspaceName: string; environment: string };

@Injectable()
export class EndpointDisablingRepository {
  constructor(private readonly database: Database) {}

  /** null: it is disabled already, or deleted. */
  disable(endpointId: string): Promise<DisabledEndpoint | null> {
    return this.database.one<DisabledEndpoint>(DISABLE, [endpointId]);
  }

  /** Their mail addresses. */
  async ownersOf(workspaceId: string): Promise<string[]> {
    const rows = await this.database.query<{ email: string }>(OWNERS, [workspaceId]);
    return rows.map(({ email }) => email);
  }
}

const ENDPOINT = columns(WebhookEndpoint, 'e', 'workspaceId', 'environmentId', 'url', 'description');

const DISABLE = `
  UPDATE webhook_endpoints e SET enabled = false, lease_until = NULL
  FROM workspaces w, environments v
  WHERE e.id = $1 AND e.enabled AND w.id = e.workspace_id AND v.id = e.environment_id
  RETURNING ${ENDPOINT}, w.name AS "workspaceName", v.name AS environment`;

const OWNERS = `
  SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.workspace_id = $1 AND m.role = 'owner' ORDER BY u.email`;
