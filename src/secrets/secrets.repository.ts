import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { boundedPage } from '../core/database/bounded-page.sql.js';
import { columns, type RowOf } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import { insertIfAbsent } from '../core/database/insert-if-absent.js';
import { NOW } from '../core/database/moments.js';
import { Environment } from '../environments/index.js';
import { Secret } from './secret.entity.js';
import type { SecretLimits } from './secret.loosening.js';
import { SecretValue } from './secret-value.entity.js';

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
const LOCKED = columns(Secret, 's', 'id', 'kind', 'allowEnv', 'createdByUserId');
const EMPTIED = columns(Environment, 'e', 'id', 'name');
const SOURCE = columns(SecretValue, 'v', 'source', 'reference');

export type SecretRow = RowOf<typeof RECORD> & { values: ValueInJson[] };
export type LockedSecret = RowOf<typeof LOCKED>;
export type EnvironmentRef = RowOf<typeof EMPTIED>;

/** The times are as JSON has them: ISO 8601. */
type ValueInJson = Pick<SecretValue, 'hosts' | 'source' | 'reference' | 'createdByUserId'> & {
  /** The environment's name. */
  environment: string;
  updatedAt: string;
  lastUsedAt: string | null;
};

@Injectable()
export class SecretsRepository {
  constructor(
    @InjectRepository(Secret) private readonly secrets: Repository<Secret>,
    private readonly database: Database,
  ) {}

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
  insert(secret: Omit<Secret, 'createdAt' | 'updatedAt'>): Promise<boolean> {
    return insertIfAbsent(this.secrets, secret);
  }

  /** Changes of a secret and of its values take turns. */
  lock(workspaceId: string, name: string): Promise<LockedSecret | null> {
    return this.database.one<LockedSecret>(LOCK, [workspaceId, name]);
  }

  /** To be called while the secret is locked; null: there is none yet. */
  async limits(
    workspaceId: string,
    name: string,
    environmentId: string,
    secret: LockedSecret | null,
  ): Promise<SecretLimits> {
    const row = await this.database.one<SecretLimits>(LIMITS, [
      workspaceId,
      name,
      environmentId,
      secret?.id ?? null,
    ]);
    return { ...row!, allowEnv: secret?.allowEnv ?? row!.allowEnv };
  }

  async update(id: string, allowEnv: boolean): Promise<void> {
    await this.secrets.update({ id }, { allowEnv, updatedAt: NOW });
  }

  async putValue(value: Omit<SecretValue, 'updatedAt' | 'lastUsedAt'>): Promise<void> {
    const { secretId, environmentId, sealed, hosts, source, reference, createdByUserId } = value;
    const parameters = [secretId, environmentId, sealed, hosts, source, reference, createdByUserId];
    await this.database.execute(PUT_VALUE, parameters);
  }

  /** In one environment, or in all; what each was limited to is kept. Returns the environments that had a value. */
  deleteValues(secretId: string, environmentId: string | null): Promise<EnvironmentRef[]> {
    return this.database.query<EnvironmentRef>(DELETE_VALUES, [secretId, environmentId]);
  }

  /** Deletes all values of an environment, with the secrets that have none left. */
  async deleteAllIn(environmentId: string): Promise<void> {
    const locked = await this.database.query<LockedSecret>(LOCK_VALUED_IN, [environmentId]);
    await this.database.execute(DELETE_VALUES_IN, [environmentId]);
    await this.deleteUnlessValued(locked.map(({ id }) => id));
  }

  /** Deletes those of these secrets that have no value left. */
  async deleteUnlessValued(ids: readonly string[]): Promise<void> {
    await this.database.execute(DELETE_UNLESS_VALUED, [ids]);
  }

  async touch(id: string): Promise<void> {
    await this.secrets.update({ id }, { updatedAt: NOW });
  }
}

const COLUMNS = `${RECORD}, present.values`;

const WITH_VALUES = `
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object(
      'environment', e.name, 'hosts', v.hosts, 'source', v.source, 'reference', v.reference, 'createdByUserId', v.created_by_user_id,
      'updatedAt', v.updated_at, 'lastUsedAt', v.last_used_at) ORDER BY e.id) AS values
    FROM secret_values v JOIN environments e ON e.id = v.environment_id
    WHERE v.secret_id = s.id AND ($2::text IS NULL OR v.environment_id = $2)
  ) present`;

const FIND = `
  SELECT ${COLUMNS} FROM secrets s ${WITH_VALUES}
  WHERE s.workspace_id = $1 AND present.values IS NOT NULL AND s.name = $3`;

/** A secret can be large because of its values in many environments, each with many hosts. */
const LIST = boundedPage({
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

const LOCK = `SELECT ${LOCKED} FROM secrets s WHERE s.workspace_id = $1 AND s.name = $2 FOR UPDATE`;

const PUT_VALUE = `
  INSERT INTO secret_values (secret_id, environment_id, sealed, hosts, source, reference, created_by_user_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (secret_id, environment_id) DO UPDATE
    SET sealed = excluded.sealed, hosts = excluded.hosts, source = excluded.source,
        reference = excluded.reference, created_by_user_id = excluded.created_by_user_id,
        updated_at = now()`;

/** Of the values `gone`: whoever sets one anew is judged by what the deleted one was limited to. */
const REMEMBERED = `
  INSERT INTO former_secrets (workspace_id, name, environment_id, hosts, allow_env)
  SELECT s.workspace_id, s.name, gone.environment_id, gone.hosts, s.allow_env
  FROM gone JOIN secrets s ON s.id = gone.secret_id
  ON CONFLICT (workspace_id, name, environment_id) DO UPDATE
    SET hosts = excluded.hosts, allow_env = excluded.allow_env`;

const DELETE_VALUES = `
  WITH gone AS (
    DELETE FROM secret_values WHERE secret_id = $1 AND ($2::text IS NULL OR environment_id = $2)
    RETURNING secret_id, environment_id, hosts
  ), remembered AS (${REMEMBERED})
  SELECT ${EMPTIED} FROM gone JOIN environments e ON e.id = gone.environment_id`;

const DELETE_VALUES_IN = `
  WITH gone AS (DELETE FROM secret_values WHERE environment_id = $1 RETURNING secret_id, environment_id, hosts)
  ${REMEMBERED}`;

/**
 * Of a secret that is not there any more, the strictest that is remembered of it in any environment counts for `allowEnv`, and
 * for its hosts the last of what is remembered in the environment and in deleted ones that had its name.
 */
const LIMITS = `
  SELECT coalesce(v.hosts, f.hosts) AS hosts, ${SOURCE},
    (SELECT bool_and(former.allow_env) FROM former_secrets former
     WHERE former.workspace_id = $1 AND former.name = $2) AS "allowEnv"
  FROM environments e
    LEFT JOIN secret_values v ON v.secret_id = $4 AND v.environment_id = e.id
    LEFT JOIN LATERAL (
      SELECT former.hosts FROM former_secrets former JOIN environments place ON place.id = former.environment_id
      WHERE former.workspace_id = $1 AND former.name = $2
        AND (place.id = e.id OR place.workspace_id = $1 AND place.name = e.name AND place.deleted_at IS NOT NULL)
      ORDER BY place.id DESC LIMIT 1
    ) f ON true
  WHERE e.id = $3`;

/** Locked first, so that no value is added to a secret that is seen to have none. */
const LOCK_VALUED_IN = `
  SELECT ${LOCKED} FROM secrets s
  WHERE s.id IN (SELECT secret_id FROM secret_values WHERE environment_id = $1)
  ORDER BY s.id FOR UPDATE`;

const DELETE_UNLESS_VALUED = `
  DELETE FROM secrets s
  WHERE s.id = ANY($1) AND NOT EXISTS (SELECT FROM secret_values v WHERE v.secret_id = s.id)`;
