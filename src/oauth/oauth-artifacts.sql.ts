/** $1 kinds, $2 hashes, $3 payloads, $4 hashes of user codes: one statement for however many there are. */
export const REPLACE_ARTIFACTS = `
  UPDATE oauth_artifacts a SET payload = given.payload, user_code_hash = given.user_code_hash
  FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[]) AS given(kind, hash, payload, user_code_hash)
  WHERE a.kind = given.kind AND a.hash = given.hash`;

/** $1 how many at most: a batch that leaves what others hold, which a query builder's DELETE cannot. */
export const DELETE_EXPIRED_ARTIFACTS = `
  DELETE FROM oauth_artifacts WHERE (kind, hash) IN (
    SELECT a.kind, a.hash FROM oauth_artifacts a
    WHERE a.expires_at <= now() AND (a.kind <> 'Client' OR NOT EXISTS (
      SELECT FROM agent_grants g
      WHERE sha256(convert_to(g.client_id, 'UTF8')) = a.hash AND g.revoked_at IS NULL AND g.expires_at > now()))
    ORDER BY a.expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`;
