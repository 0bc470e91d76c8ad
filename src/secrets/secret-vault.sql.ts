import { WorkspaceKey } from '../core/keys/index.js';
import { columns, type RowOf } from '../core/database/index.js';
import { Secret } from './secret.entity.js';
import { SecretValue } from './secret-value.entity.js';

const SECRET = columns(Secret, 's', 'name', 'kind', 'allowEnv');
const VALUE = columns(SecretValue, 'v', 'secretId', 'environmentId', 'hosts', 'source', 'sealed');
const KEY = columns(WorkspaceKey, 'k', 'workspaceId', 'masterKeyId', 'sealedKey');

/** A value, with the key that opens it. */
export type SealedSecret = RowOf<typeof SECRET> &
  RowOf<typeof VALUE> &
  RowOf<typeof KEY> & { workspaceSlug: string; environmentName: string };

/** $1 workspace, $2 environment, $3 names. At the start of each run that uses secrets. */
export const SEALED = `
  SELECT ${SECRET}, ${VALUE}, ${KEY}, w.slug AS "workspaceSlug", e.name AS "environmentName"
  FROM secrets s
  JOIN workspaces w ON w.id = s.workspace_id
  JOIN environments e ON e.id = $2
  JOIN secret_values v ON v.secret_id = s.id AND v.environment_id = $2
  JOIN workspace_keys k ON k.workspace_id = s.workspace_id
  WHERE s.workspace_id = $1 AND s.name = ANY($3)`;

/** As far as a value's place and its key go. */
export type SampledSecret = RowOf<typeof VALUE> & RowOf<typeof KEY> & { workspaceSlug: string };

/** The newest value of each workspace. */
export const SAMPLES = `
  SELECT DISTINCT ON (k.workspace_id) ${VALUE}, ${KEY}, w.slug AS "workspaceSlug"
  FROM secrets s
  JOIN workspaces w ON w.id = s.workspace_id
  JOIN secret_values v ON v.secret_id = s.id
  JOIN workspace_keys k ON k.workspace_id = s.workspace_id
  ORDER BY k.workspace_id, v.updated_at DESC`;

/** $1 workspaces, $2 environments, $3 names: one statement for all that were used within a while. */
export const MARK_USED = `
  UPDATE secret_values v SET last_used_at = now()
  FROM unnest($1::text[], $2::text[], $3::text[]) AS used(workspace_id, environment_id, name)
  JOIN secrets s ON s.workspace_id = used.workspace_id AND s.name = used.name
  WHERE v.secret_id = s.id AND v.environment_id = used.environment_id`;
