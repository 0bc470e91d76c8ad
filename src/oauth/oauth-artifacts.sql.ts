/** $1 kinds, $2 hashes, $3 payloads, $4 hashes of user codes: one statement for however many there are. */
export const REPLACE_ARTIFACTS = `
  UPDATE oauth_artifacts a SET payload = given.payload, user_code_hash = given.user_code_hash
  FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[]) AS given(kind, hash, payload, user_code_hash)
  WHERE a.kind = given.kind AND a.hash = given.hash`;
