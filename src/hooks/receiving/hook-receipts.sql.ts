/**
 * SQL, since one that was seen more than a day ago counts anew, which is an upsert with a condition. $1 hooks, $2 keys, each pair
 * once, in one order for all processes. Returns those that are new.
 */
export const SEE = `
  INSERT INTO hook_sightings AS s (hook_id, key)
  SELECT hook_id, key FROM unnest($1::text[], $2::bytea[]) AS v(hook_id, key) ORDER BY hook_id, key
  ON CONFLICT (hook_id, key) DO UPDATE SET created_at = now() WHERE s.created_at < now() - interval '24 hours'
  RETURNING hook_id AS "hookId", key`;
