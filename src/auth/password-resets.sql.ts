/** SQL, since whether there is one already is asked by the statement that writes it. */
export const INSERT_RESET = `
  INSERT INTO password_resets (hash, user_id, expires_at)
  SELECT $1::bytea, u.id, now() + $3::integer * interval '1 second' FROM users u
  WHERE u.id = $2 AND NOT EXISTS (
    SELECT FROM password_resets r WHERE r.user_id = u.id AND r.used_at IS NULL
      AND r.expires_at > now() + ($3::integer - $4::integer) * interval '1 second')`;
