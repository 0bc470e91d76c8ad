import { boundedPage, columns, type RowOf } from '../core/database/index.js';
import { Environment } from '../environments/index.js';
import { Secret } from './secret.entity.js';
import type { SecretValue } from './secret-value.entity.js';

const RECORD = columns(
  Secret,
  's',
  'id',
  'name',
  'kind',
  'allowEnv',
  'createdByUserId',
  'createdAt',
  'updatedAt',
);
const EMPTIED = columns(Environment, 'e', 'id', 'name');

export type SecretRow = RowOf<typeof RECORD> & { values: ValueInJson[] };
export type EnvironmentRef = RowOf<typeof EMPTIED>;

/** The times are as JSON has them: ISO 8601. */
type ValueInJson = Pick<SecretValue, 'hosts' | 'source' | 'reference' | 'createdByUserId'> & {
  /** The environment's name. */
  environment: string;
  updatedAt: string;
  lastUsedAt: string | null;
};

const COLUMNS = `${RECORD}, present.values`;

const WITH_VALUES = `
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object(
      'environment', e.name, 'hosts', v.hosts, 'source', v.source, 'reference', v.reference, 'createdByUserId', v.created_by_user_id,
      'updatedAt', v.updated_at, 'lastUsedAt', v.last_used_at) ORDER BY e.id) AS values
    FROM secret_values v JOIN environments e ON e.id = v.environment_id
    WHERE v.secret_id = s.id AND ($2::text IS NULL OR v.environment_id = $2)
  ) present`;

/** $1 workspace, $2 the only environment or null, $3 name. As the list has it: one row, with its values as JSON. */
export const FIND_SECRET = `
  SELECT ${COLUMNS} FROM secrets s ${WITH_VALUES}
  WHERE s.workspace_id = $1 AND present.values IS NOT NULL AND s.name = $3`;

/**
 * $1 workspace, $2 the only environment or null, $3 after, $4 how many. A secret can be large because of its values in many
 * environments, each with many hosts: a page ends by their sizes.
 */
export const LIST_SECRETS = boundedPage({
  candidates: `
    SELECT s.id, measured.bytes FROM secrets s CROSS JOIN LATERAL (
      SELECT sum(300 + octet_length(v.hosts::text) + coalesce(octet_length(v.reference), 0)) AS bytes FROM secret_values v
      WHERE v.secret_id = s.id AND ($2::text IS NULL OR v.environment_id = $2)
    ) measured
    WHERE s.workspace_id = $1 AND measured.bytes IS NOT NULL AND s.id < coalesce($3, '~')
    ORDER BY s.id DESC LIMIT $4`,
  columns: COLUMNS,
  tables: `FROM page JOIN secrets s ON s.id = page.id ${WITH_VALUES}`,
});

/** $1 secrets, $2 environment or null for all. What is deleted is remembered: whoever sets one anew is judged by it. */
export const DELETE_VALUES = `
  WITH gone AS (
    DELETE FROM secret_values WHERE secret_id = ANY($1) AND ($2::text IS NULL OR environment_id = $2)
    RETURNING secret_id, environment_id, hosts
  ), remembered AS (
    INSERT INTO former_secrets (workspace_id, name, environment_id, hosts, allow_env)
    SELECT s.workspace_id, s.name, gone.environment_id, gone.hosts, s.allow_env
    FROM gone JOIN secrets s ON s.id = gone.secret_id
    ON CONFLICT (workspace_id, name, environment_id) DO UPDATE
      SET hosts = excluded.hosts, allow_env = excluded.allow_env
  )
  SELECT ${EMPTIED} FROM gone JOIN environments e ON e.id = gone.environment_id`;
