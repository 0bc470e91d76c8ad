/** SQL, since nothing is read: it holds a row of another domain. */
export const LOCK_WORKSPACE = 'SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE';

/** SQL: which are kept is asked of the table itself. */
export const DELETE_SPENT_SECRETS = `
  DELETE FROM webhook_earlier_secrets
  WHERE endpoint_id = $1 AND (signs_until <= now() OR id NOT IN (
    SELECT id FROM webhook_earlier_secrets WHERE endpoint_id = $1 ORDER BY id DESC LIMIT $2))`;
