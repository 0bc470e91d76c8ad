import { Injectable } from '@nestjs/common';

import { type RowOf, columns } from '../database/columns.js';
import { Database } from '../database/database.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

const KEY_COLUMNS = columns(
  IdempotencyKey,
  'k',
  'fingerprint',
  'state',
  'resourceKind',
  'resourceId',
  'status',
  'body',
);
export type KeyRow = RowOf<typeof KEY_COLUMNS>;

export interface KeyName {
  credentialId: string;
  key: string;
}

/** A key as one request uses it. */
export interface HeldKey extends KeyName {
  /** The request's own random text: it writes under the key only while the key has it. */
  holder: string;
}

@Injectable()
export class IdempotencyRepository {
  constructor(private readonly database: Database) {}

  /** Takes the key, if it is free, older than a day or left behind by a process that has died. Not within a transaction. */
  async begin(key: HeldKey, fingerprint: Buffer, instanceId: string): Promise<boolean> {
    const { count } = await this.database.execute(BEGIN, [
      key.credentialId,
      key.key,
      fingerprint,
      instanceId,
      key.holder,
    ]);
    return count === 1;
  }

  find(name: KeyName): Promise<KeyRow | null> {
    return this.database.one<KeyRow>(
      `SELECT ${KEY_COLUMNS} FROM idempotency_keys k WHERE k.credential_id = $1 AND k.key = $2`,
      [name.credentialId, name.key],
    );
  }

  /** In the transaction that makes the resource. False: another request has taken the key meanwhile, so do not commit. */
  async commit(key: HeldKey, kind: string, id: string): Promise<boolean> {
    const { count } = await this.database.execute(
      `UPDATE idempotency_keys SET state = 'committed', resource_kind = $4, resource_id = $5
       WHERE credential_id = $1 AND key = $2 AND holder = $3 AND state = 'started'`,
      [key.credentialId, key.key, key.holder, kind, id],
    );
    return count === 1;
  }

  /** False: another request has taken the key meanwhile. */
  async complete(key: HeldKey, status: number, body: Buffer): Promise<boolean> {
    const { count } = await this.database.execute(
      `UPDATE idempotency_keys SET state = 'responded', status = $4, body = $5
       WHERE credential_id = $1 AND key = $2 AND holder = $3 AND state <> 'responded'`,
      [key.credentialId, key.key, key.holder, status, body],
    );
    return count === 1;
  }

  async release(key: HeldKey): Promise<void> {
    await this.database.execute(
      `DELETE FROM idempotency_keys
       WHERE credential_id = $1 AND key = $2 AND holder = $3 AND state = 'started'`,
      [key.credentialId, key.key, key.holder],
    );
  }

  async dropResponses(): Promise<void> {
    await this.database.execute('UPDATE idempotency_keys SET body = NULL WHERE body IS NOT NULL');
  }

  /**
   * Releases keys of this process that no request under way holds. Young ones are left alone: their request may have
   * begun since the list was made.
   */
  async releaseAbandoned(instanceId: string, underWay: string[]): Promise<void> {
    await this.database.execute(
      `DELETE FROM idempotency_keys
       WHERE instance_id = $1 AND state = 'started' AND holder <> ALL ($2::text[])
         AND created_at < now() - interval '30 seconds'`,
      [instanceId, underWay],
    );
  }
}

/**
 * The commit does not wait for the disk: whatever is done under the key is committed later, and that commit takes this one
 * to the disk too. A database that crashes before has lost the key, and nothing was done under it.
 */
const BEGIN = `
  WITH quick AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
  )
  INSERT INTO idempotency_keys AS k (credential_id, key, fingerprint, state, instance_id, holder)
  SELECT $1::text, $2::text, $3::bytea, 'started', $4::text, $5::text FROM quick
  ON CONFLICT (credential_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, state = 'started', instance_id = excluded.instance_id,
        holder = excluded.holder,
        resource_kind = NULL, resource_id = NULL, status = NULL, body = NULL, created_at = now()
    WHERE k.created_at < now() - interval '24 hours'
       OR (k.state = 'started' AND NOT EXISTS (
             SELECT FROM instances i WHERE i.id = k.instance_id AND i.seen_at > now() - interval '40 seconds'))`;
