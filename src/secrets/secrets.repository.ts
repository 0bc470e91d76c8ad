import { Injectable } from '@nestjs/common';

import { boundedPage } from '../core/database/bounded-page.sql.js';
import { Database } from '../core/database/database.js';
import type { SharedPart } from './secret.rules.js';

export interface SecretValueRow {
  environment: string;
  hosts: string[];
  createdByUserId: string | null;
  /** As JSON has it: ISO 8601. */
  updatedAt: string;
  lastUsedAt: string | null;
}

export interface SecretRow extends SharedPart {
  id: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
  values: SecretValueRow[];
}

export interface NewSecretRow extends SharedPart {
  id: string;
  workspaceId: string;
  name: string;
}

export interface NewSecretValueRow {
  secretId: string;
  environmentId: string;
  sealed: Buffer;
  hosts: string[];
  createdByUserId: string | null;
}

export interface EnvironmentRef {
  id: string;
  name: string;
}

@Injectable()
export class SecretsRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. Where `onlyIn` names an environment: only what has a value there, and only that value. */
  list(
    workspaceId: string,
    onlyIn: string | null,
    after: string | null,
    count: number,
  ): Promise<SecretRow[]> {
    return this.database.query<SecretRow>(LIST, [workspaceId, onlyIn, after, count]);
  }

  find(workspaceId: string, onlyIn: string | null, name: string): Promise<SecretRow | null> {
    return this.database.one<SecretRow>(FIND, [workspaceId, onlyIn, name]);
  }

  /** False: there is one of that name. */
  async insert(secret: NewSecretRow): Promise<boolean> {
    const { count } = await this.database.execute(
      `INSERT INTO secrets (id, workspace_id, name, allow_env, created_by_user_id) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (workspace_id, name) DO NOTHING`,
      [secret.id, secret.workspaceId, secret.name, secret.allowEnv, secret.createdByUserId],
    );
    return count === 1;
  }

  /** Changes of a secret and of its values take turns. */
  lock(workspaceId: string, name: string): Promise<(SharedPart & { id: string }) | null> {
    return this.database.one(
      `SELECT id, allow_env AS "allowEnv", created_by_user_id AS "createdByUserId" FROM secrets
       WHERE workspace_id = $1 AND name = $2 FOR UPDATE`,
      [workspaceId, name],
    );
  }

  async update(id: string, allowEnv: boolean): Promise<void> {
    await this.database.execute('UPDATE secrets SET allow_env = $2, updated_at = now() WHERE id = $1', [
      id,
      allowEnv,
    ]);
  }

  async putValue(value: NewSecretValueRow): Promise<void> {
    await this.database.execute(
      `INSERT INTO secret_values (secret_id, environment_id, sealed, hosts, created_by_user_id)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (secret_id, environment_id) DO UPDATE
         SET sealed = excluded.sealed, hosts = excluded.hosts, created_by_user_id = excluded.created_by_user_id,
             updated_at = now()`,
      [value.secretId, value.environmentId, value.sealed, value.hosts, value.createdByUserId],
    );
  }

  /** In one environment, or in all. The environments that had a value. */
  deleteValues(secretId: string, environmentId: string | null): Promise<EnvironmentRef[]> {
    return this.database.query<EnvironmentRef>(
      `DELETE FROM secret_values v USING environments e
       WHERE v.secret_id = $1 AND ($2::text IS NULL OR v.environment_id = $2) AND e.id = v.environment_id
       RETURNING e.id, e.name`,
      [secretId, environmentId],
    );
  }

  async deleteUnlessValued(id: string): Promise<void> {
    await this.database.execute(
      'DELETE FROM secrets WHERE id = $1 AND NOT EXISTS (SELECT FROM secret_values WHERE secret_id = $1)',
      [id],
    );
  }

  async touch(id: string): Promise<void> {
    await this.database.execute('UPDATE secrets SET updated_at = now() WHERE id = $1', [id]);
  }
}

const COLUMNS = `
  s.id, s.name, s.allow_env AS "allowEnv", s.created_by_user_id AS "createdByUserId",
  s.created_at AS "createdAt", s.updated_at AS "updatedAt", present.values`;

const WITH_VALUES = `
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object(
      'environment', e.name, 'hosts', v.hosts, 'createdByUserId', v.created_by_user_id,
      'updatedAt', v.updated_at, 'lastUsedAt', v.last_used_at) ORDER BY e.id) AS values
    FROM secret_values v JOIN environments e ON e.id = v.environment_id
    WHERE v.secret_id = s.id AND ($2::text IS NULL OR v.environment_id = $2)
  ) present`;

const FIND = `
  SELECT ${COLUMNS} FROM secrets s ${WITH_VALUES}
  WHERE s.workspace_id = $1 AND present.values IS NOT NULL AND s.name = $3`;

/** Values in many environments, each with many hosts, are what can be large. */
const LIST = boundedPage({
  candidates: `
    SELECT s.id, measured.bytes FROM secrets s CROSS JOIN LATERAL (
      SELECT sum(300 + octet_length(v.hosts::text)) AS bytes FROM secret_values v
      WHERE v.secret_id = s.id AND ($2::text IS NULL OR v.environment_id = $2)
    ) measured
    WHERE s.workspace_id = $1 AND measured.bytes IS NOT NULL AND s.id < coalesce($3, '~')
    ORDER BY s.id DESC LIMIT $4`,
  columns: COLUMNS,
  tables: `FROM page JOIN secrets s ON s.id = page.id ${WITH_VALUES}`,
});
