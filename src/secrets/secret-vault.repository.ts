import { Injectable } from '@nestjs/common';

import type { WorkspaceKeyRow } from '../core/keys/workspace-keys.repository.js';
import { Database } from '../core/database/database.js';
import type { StoredSecret } from './version-secrets.js';

export interface SealedSecretRow extends WorkspaceKeyRow {
  secretId: string;
  name: string;
  allowEnv: boolean;
  environmentId: string;
  hosts: string[];
  sealed: Buffer;
}

/** Of a value that was used. */
export interface SecretUsed {
  workspaceId: string;
  environmentId: string;
  name: string;
}

export interface ValuesSize {
  environmentId: string;
  environment: string;
  bytes: number;
}

/** What runs and versions read of secrets. */
@Injectable()
export class SecretVaultRepository {
  constructor(private readonly database: Database) {}

  sealed(workspaceId: string, environmentId: string, names: readonly string[]): Promise<SealedSecretRow[]> {
    return this.database.query<SealedSecretRow>(SEALED, [workspaceId, environmentId, names]);
  }

  /** In all environments that have a value. */
  stored(workspaceId: string, names: readonly string[]): Promise<StoredSecret[]> {
    return this.database.query<StoredSecret>(STORED, [workspaceId, names]);
  }

  /** How large the values of these names are together, in each environment that has one of them, about. */
  sizes(workspaceId: string, names: readonly string[]): Promise<ValuesSize[]> {
    return this.database.query<ValuesSize>(SIZES, [workspaceId, names]);
  }

  async markUsed(used: readonly SecretUsed[]): Promise<void> {
    await this.database.execute(MARK_USED, [
      used.map(({ workspaceId }) => workspaceId),
      used.map(({ environmentId }) => environmentId),
      used.map(({ name }) => name),
    ]);
  }
}

const SEALED = `
  SELECT s.id AS "secretId", s.name, s.allow_env AS "allowEnv", v.environment_id AS "environmentId", v.hosts, v.sealed,
    k.workspace_id AS "workspaceId", k.master_key_id AS "masterKeyId", k.sealed_key AS "sealedKey"
  FROM secrets s
  JOIN secret_values v ON v.secret_id = s.id AND v.environment_id = $2
  JOIN workspace_keys k ON k.workspace_id = s.workspace_id
  WHERE s.workspace_id = $1 AND s.name = ANY($3)`;

const STORED = `
  SELECT s.name, s.allow_env AS "allowEnv",
    json_agg(json_build_object('environment', e.name, 'hosts', v.hosts) ORDER BY e.id) AS values
  FROM secrets s
  JOIN secret_values v ON v.secret_id = s.id
  JOIN environments e ON e.id = v.environment_id
  WHERE s.workspace_id = $1 AND s.name = ANY($2)
  GROUP BY s.id`;

const SIZES = `
  SELECT e.id AS "environmentId", e.name AS environment, sum(octet_length(v.sealed))::int AS bytes
  FROM secrets s
  JOIN secret_values v ON v.secret_id = s.id
  JOIN environments e ON e.id = v.environment_id
  WHERE s.workspace_id = $1 AND s.name = ANY($2)
  GROUP BY e.id ORDER BY e.id`;

const MARK_USED = `
  UPDATE secret_values v SET last_used_at = now()
  FROM unnest($1::text[], $2::text[], $3::text[]) AS used(workspace_id, environment_id, name)
  JOIN secrets s ON s.workspace_id = used.workspace_id AND s.name = used.name
  WHERE v.secret_id = s.id AND v.environment_id = used.environment_id`;
