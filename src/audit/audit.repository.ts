import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import type { ActorType } from './actor-type.js';

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

export interface AuditFilters {
  workspaceId: string;
  action?: string | undefined;
  actor?: string | undefined;
  since?: Date | undefined;
}

/** How far the clocks of our processes and of the database may be apart. */
const CLOCKS_APART_MS = 60_000;

@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  list(
    { workspaceId, action, actor, since }: AuditFilters,
    after: string | null,
    count: number,
  ): Promise<AuditRow[]> {
    const parameters: unknown[] = [workspaceId];
    const bind = (value: unknown): string => `$${parameters.push(value)}`;
    const conditions = ['a.workspace_id = $1'];
    if (after !== null) conditions.push(`a.id < ${bind(after)}`);
    if (action !== undefined) conditions.push(`a.action = ${bind(action)}`);
    if (actor !== undefined) conditions.push(`a.actor_user_id = ${bind(actor)}`);
    if (since !== undefined) {
      // Ids sort by time, which ends the walk along the index; they tell our time, `created_at` the database's.
      const bound = firstIdAt('audit', new Date(since.getTime() - CLOCKS_APART_MS));
      conditions.push(`a.id >= ${bind(bound)}`, `a.created_at >= ${bind(since)}`);
    }
    // The limit stands in the text: only when the planner knows that it is small does it walk the index.
    return this.database.query<AuditRow>(
      `SELECT a.id, a.action, a.actor_type AS "actorType", a.actor_user_id AS "actorUserId", u.name AS "actorName",
         a.credential_type AS "credentialType", a.credential_name AS "credentialName",
         a.target_type AS "targetType", a.target_id AS "targetId", a.created_at AS "createdAt"
       FROM audit_events a LEFT JOIN users u ON u.id = a.actor_user_id
       WHERE ${conditions.join(' AND ')} ORDER BY a.id DESC LIMIT ${count}`,
      parameters,
    );
  }
}
