/** SQL, as a condition of a deletion. */
export const IS_NOT_AMONG_NEWEST = `id NOT IN (
  SELECT s.id FROM webhook_earlier_secrets s WHERE s.endpoint_id = :id ORDER BY s.id DESC LIMIT :most)`;
