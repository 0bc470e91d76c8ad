import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';

export type ActorType = 'user' | 'staff' | 'system' | 'api_key';

export interface AuditRow {
  id: string;
  action: string;
  actorType: ActorType;
  actorUserId: string | null;
  actorName: string | null;
  credentialType: 'api_key' | 'pat' | null;
  credentialName: string | null;
  targetType: string | null;
  targetId: string | null;
  createdAt: Date;
}

@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  list(workspaceId: string, after: string | null, count: number): Promise<AuditRow[]> {
    return this.database.query<AuditRow>(
      `SELECT a.id, a.action, a.actor_type AS "actorType", a.actor_user_id AS "actorUserId", u.name AS "actorName",
         a.credential_type AS "credentialType", a.credential_name AS "credentialName",
         a.target_type AS "targetType", a.target_id AS "targetId", a.created_at AS "createdAt"
       FROM audit_events a LEFT JOIN users u ON u.id = a.actor_user_id
       WHERE a.workspace_id = $1 AND a.id < coalesce($2, '~') ORDER BY a.id DESC LIMIT $3`,
      [workspaceId, after, count],
    );
  }
}
