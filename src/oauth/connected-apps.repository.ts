import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';

export interface ConnectedAppRow {
  id: string;
  appName: string;
  clientId: string;
  scopes: string[];
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  createdAt: Date;
  workspaceSlug: string;
  workspaceName: string;
  environmentName: string | null;
}

@Injectable()
export class ConnectedAppsRepository {
  constructor(private readonly database: Database) {}

  /** Those that may still act, newest first. */
  list(userId: string, after: string | null, count: number): Promise<ConnectedAppRow[]> {
    return this.database.query<ConnectedAppRow>(LIST, [userId, after, count]);
  }
}

/** Each is small: a page needs no bound of its own. */
const LIST = `
  SELECT g.id, g.app_name AS "appName", g.client_id AS "clientId", g.scopes, g.last_used_at AS "lastUsedAt",
    g.expires_at AS "expiresAt", g.created_at AS "createdAt",
    w.slug AS "workspaceSlug", w.name AS "workspaceName", e.name AS "environmentName"
  FROM agent_grants g JOIN workspaces w ON w.id = g.workspace_id AND w.deleted_at IS NULL
    LEFT JOIN environments e ON e.id = g.environment_id
  WHERE g.user_id = $1 AND g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > now())
    AND (g.environment_id IS NULL OR e.deleted_at IS NULL) AND g.id < coalesce($2, '~')
  ORDER BY g.id DESC LIMIT $3`;
