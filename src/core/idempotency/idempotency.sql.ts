import { named } from '../database/index.js';
import type { IdempotencyKey } from './idempotency-key.entity.js';

/**
 * SQL, since it takes a key over under a condition and comes before each write that has one.
 *
 * The commit does not wait for the disk: whatever is done under the key is committed later, and that commit takes this one
 * to the disk too. A database that crashes before has lost the key, and nothing was done under it.
 */
export const BEGIN = named<
  Pick<IdempotencyKey, 'credentialId' | 'key' | 'holder' | 'fingerprint' | 'instanceId'>
>(`
  WITH quick AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
  )
  INSERT INTO idempotency_keys AS k (credential_id, key, fingerprint, state, instance_id, holder)
  SELECT :credentialId::text, :key::text, :fingerprint::bytea, 'started', :instanceId::text, :holder::text FROM quick
  ON CONFLICT (credential_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, state = 'started', instance_id = excluded.instance_id,
        holder = excluded.holder,
        resource_kind = NULL, resource_id = NULL, status = NULL, body = NULL, created_at = now()
    WHERE k.created_at < now() - interval '24 hours'
       OR (k.state = 'started' AND NOT EXISTS (
             SELECT FROM instances i WHERE i.id = k.instance_id AND i.seen_at > now() - interval '40 seconds'))`);
