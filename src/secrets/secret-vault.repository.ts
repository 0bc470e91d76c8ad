import { Injectable } from '@nestjs/common';

import { WorkspaceKey } from '../core/keys/workspace-key.entity.js';
import { columns, type RowOf } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import { Environment } from '../environments/index.js';
import { Secret } from './secret.entity.js';
import { SecretValue } from './secret-value.entity.js';
import type { StoredSecret } from './version-secrets.rules.js';

const SECRET = columns(Secret, 's', 'name', 'kind', 'allowEnv');
const VALUE = columns(SecretValue, 'v', 'secretId', 'environmentId', 'hosts', 'source', 'sealed');
const KEY = columns(WorkspaceKey, 'k', 'workspaceId', 'masterKeyId', 'sealedKey');

/** A value, with the key that opens it. */
export type SealedSecret = RowOf<typeof SECRET> &
  RowOf<typeof VALUE> &
  RowOf<typeof KEY> & { workspaceSlug: string; environmentName: string };

/** A value that was used. */
export interface SecretUsed {
  workspaceId: string;
  environmentId: string;
  name: string;
}

export interface ValuesSize {
  environmentId: Environment['id'];
  environment: Environment['name'];
  bytes: number;
}

/** What runs and versions read of secrets. */
@Injectable()
export class SecretVaultRepository {
  constructor(private readonly database: Database) {}

  sealed(workspaceId: string, environmentId: string, names: readonly string[]): Promise<SealedSecret[]> {
    return this.database.query<SealedSecret>(SEALED, [workspaceId, environmentId, names]);
  }

  /** In all environments that have a value. */
  stored(workspaceId: string, names: readonly string[]): Promise<StoredSecret[]> {
    return this.database.query<StoredSecret>(STORED, [workspaceId, names]);
  }

  /** About how large the values of these names are together, in each environment that has one of them. */
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
  SELECT ${SECRET}, ${VALUE}, ${KEY}, w.slug AS "workspaceSlug", e.name AS "environmentName"
  FROM secrets s
  JOIN workspaces w ON w.id = s.workspace_id
  JOIN environments e ON e.id = $2
  JOIN secret_values v ON v.secret_id = s.id AND v.environment_id = $2
  JOIN workspace_keys k ON k.workspace_id = s.workspace_id
  WHERE s.workspace_id = $1 AND s.name = ANY($3)`;

const STORED = `
  SELECT ${SECRET}, json_agg(json_build_object('environment', e.name, 'hosts', v.hosts) ORDER BY e.id) AS values
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
