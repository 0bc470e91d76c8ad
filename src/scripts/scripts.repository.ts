import { Injectable } from '@nestjs/common';

import type { ApprovalPolicy } from '../core/access/caller.js';
import { boundedPage } from '../core/database/bounded-page.sql.js';
import { Database } from '../core/database/database.js';
import type { JsonSchema } from '../../libs/json-schema/index.js';
import type { ScriptAccess, SharedTeam } from './script-access.js';
import type { ScriptViewer } from './script-viewer.js';
import { scriptIsVisible } from '../core/access/script-visibility.js';
import type { ScriptStatus } from './script.status.js';

export interface ScriptRow {
  id: string;
  slug: string;
  name: string;
  description: string;
  status: ScriptStatus;
  ownerUserId: string | null;
  publishedVersion: number | null;
  access: ScriptAccess;
  teamIds: string[];
  approvalPolicy: ApprovalPolicy;
  tags: string[];
  createdAt: Date;
  updatedAt: Date;
}

/** With what the published version shows of itself. */
export interface ListedScriptRow extends ScriptRow {
  inputSchema: JsonSchema | null;
}

export interface DetailedScriptRow extends ListedScriptRow {
  readme: string | null;
}

/** Locked: nobody else changes it, or the workspace's setting, before the transaction ends. */
export interface LockedScriptRow extends ScriptRow {
  publishNeedsSecondPerson: boolean;
}

export interface NewScript {
  id: string;
  workspaceId: string;
  slug: string;
  name: string;
  description: string;
  ownerUserId: string | null;
}

export interface ScriptFilters {
  q?: string | undefined;
  tag?: string | undefined;
  status?: ScriptStatus | undefined;
}

export type ScriptChange = Pick<
  ScriptRow,
  'name' | 'description' | 'access' | 'teamIds' | 'approvalPolicy' | 'tags'
>;

@Injectable()
export class ScriptsRepository {
  constructor(private readonly database: Database) {}

  /** False: the slug is taken. */
  async insert(script: NewScript): Promise<boolean> {
    const { id, workspaceId, slug, name, description, ownerUserId } = script;
    const { count } = await this.database.execute(INSERT, [
      id,
      workspaceId,
      slug,
      name,
      description,
      ownerUserId,
    ]);
    return count === 1;
  }

  find(viewer: ScriptViewer, slug: string): Promise<DetailedScriptRow | null> {
    return this.database.one<DetailedScriptRow>(FIND, [viewer.workspaceId, viewer.role, viewer.userId, slug]);
  }

  lock(viewer: ScriptViewer, slug: string): Promise<LockedScriptRow | null> {
    return this.database.one<LockedScriptRow>(LOCK, [viewer.workspaceId, viewer.role, viewer.userId, slug]);
  }

  /** Newest first. The statement is built of the filters that there are, so that each is read by its index. */
  list(
    viewer: ScriptViewer,
    { q, tag, status }: ScriptFilters,
    after: string | null,
    count: number,
  ): Promise<ListedScriptRow[]> {
    const parameters: unknown[] = [viewer.workspaceId, viewer.role, viewer.userId];
    const bind = (value: unknown): string => `$${parameters.push(value)}`;
    const conditions = ['s.workspace_id = $1', VISIBLE];
    if (after !== null) conditions.push(`s.id < ${bind(after)}`);
    if (status !== undefined) conditions.push(`s.status = ${bind(status)}`);
    if (tag !== undefined) conditions.push(`s.tags @> ARRAY[${bind(tag)}::text]`);
    if (q !== undefined) {
      const pattern = bind(`%${q.replace(/[\\%_]/g, '\\$&')}%`);
      conditions.push(
        `(s.name ILIKE ${pattern} OR s.slug ILIKE ${pattern} OR s.description ILIKE ${pattern})`,
      );
    }
    const list = boundedPage({
      candidates: `SELECT s.id, octet_length(s.description) + coalesce(v.input_schema_bytes, 0) AS bytes
        FROM scripts s ${WITH_PUBLISHED} WHERE ${conditions.join(' AND ')} ORDER BY s.id DESC LIMIT ${bind(count)}`,
      columns: `${COLUMNS}, v.input_schema AS "inputSchema"`,
      tables: `FROM page JOIN scripts s ON s.id = page.id ${WITH_PUBLISHED}`,
    });
    return this.database.queryOnce<ListedScriptRow>(list, parameters);
  }

  async change(id: string, script: ScriptChange): Promise<void> {
    const { name, description, access, teamIds, approvalPolicy, tags } = script;
    await this.database.execute(CHANGE, [id, name, description, access, teamIds, approvalPolicy, tags]);
  }

  async setStatus(id: string, status: ScriptStatus, publishedVersion: number | null): Promise<void> {
    await this.database.execute(
      `UPDATE scripts SET status = $2, published_version = $3, updated_at = now() WHERE id = $1`,
      [id, status, publishedVersion],
    );
  }

  /** Those of `teamIds` that are teams of the workspace, kept from being deleted until the transaction ends. */
  teams(workspaceId: string, teamIds: readonly string[], userId: string | null): Promise<SharedTeam[]> {
    return this.database.query<SharedTeam>(TEAMS, [workspaceId, teamIds, userId]);
  }
}

const VISIBLE = scriptIsVisible({ alias: 's', roleParameter: '$2', userParameter: '$3' });

const COLUMNS = `
  s.id, s.slug, s.name, s.description, s.status, s.owner_user_id AS "ownerUserId",
  s.published_version AS "publishedVersion", s.access, s.team_ids AS "teamIds",
  s.approval_policy AS "approvalPolicy", s.tags, s.created_at AS "createdAt", s.updated_at AS "updatedAt"`;

const WITH_PUBLISHED = 'LEFT JOIN script_versions v ON v.script_id = s.id AND v.number = s.published_version';

const INSERT = `
  INSERT INTO scripts (id, workspace_id, slug, name, description, owner_user_id)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (workspace_id, slug) DO NOTHING`;

const FIND = `
  SELECT ${COLUMNS}, v.input_schema AS "inputSchema", v.readme FROM scripts s ${WITH_PUBLISHED}
  WHERE s.workspace_id = $1 AND s.slug = $4 AND ${VISIBLE}`;

const LOCK = `
  SELECT ${COLUMNS}, w.publish_needs_second_person AS "publishNeedsSecondPerson"
  FROM scripts s JOIN workspaces w ON w.id = s.workspace_id
  WHERE s.workspace_id = $1 AND s.slug = $4 AND ${VISIBLE}
  FOR UPDATE OF s FOR SHARE OF w`;

const CHANGE = `
  UPDATE scripts
  SET name = $2, description = $3, access = $4, team_ids = $5, approval_policy = $6, tags = $7, updated_at = now()
  WHERE id = $1`;

const TEAMS = `
  SELECT t.id,
    EXISTS (
      SELECT FROM team_members tm JOIN memberships m ON m.user_id = tm.user_id
      WHERE tm.team_id = t.id AND m.workspace_id = $1 AND m.role = 'guest') AS "hasGuests",
    EXISTS (SELECT FROM team_members tm WHERE tm.team_id = t.id AND tm.user_id = $3::text) AS "hasCaller"
  FROM teams t
  WHERE t.workspace_id = $1 AND t.id = ANY($2::text[])
  FOR KEY SHARE OF t`;
