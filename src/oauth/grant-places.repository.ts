import { Injectable } from '@nestjs/common';

import type { Role } from '../core/access/roles.js';
import { Database } from '../core/database/database.js';

/** A workspace in which a person can let an app act, with the names of its environments. */
export interface WorkspaceOfPerson {
  slug: string;
  name: string;
  role: Role;
  environments: string[];
}

/** Where a grant is for. */
export interface GrantPlace {
  workspaceId: string;
  /** null: there is none of that name, or none was named. */
  environmentId: string | null;
}

/** SQL, since it needs a little of three domains in one statement. */
@Injectable()
export class GrantPlacesRepository {
  constructor(private readonly database: Database) {}

  workspacesOf(userId: string): Promise<WorkspaceOfPerson[]> {
    return this.database.query<WorkspaceOfPerson>(WORKSPACES, [userId]);
  }

  /** null: the person is in no such workspace. */
  find(userId: string, workspace: string, environment: string | null): Promise<GrantPlace | null> {
    return this.database.one<GrantPlace>(PLACE, [userId, workspace, environment]);
  }
}

/** Nobody chooses from more. */
const WORKSPACES = `
  SELECT w.slug, w.name, m.role, ARRAY(
      SELECT e.name FROM environments e WHERE e.workspace_id = w.id AND e.deleted_at IS NULL ORDER BY e.name
    ) AS environments
  FROM memberships m JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
  WHERE m.user_id = $1 ORDER BY w.slug LIMIT 1000`;

const PLACE = `
  SELECT w.id AS "workspaceId", e.id AS "environmentId"
  FROM memberships m JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
    LEFT JOIN environments e ON e.workspace_id = w.id AND e.name = $3 AND e.deleted_at IS NULL
  WHERE m.user_id = $1 AND w.slug = $2`;
