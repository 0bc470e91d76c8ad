/** In SQL: the secrets that sign beside the newest one of the endpoint with this id, the newest first; null for none. */
export const earlierSecretsOf = (endpointId: string): string => `NULLIF(ARRAY(
  SELECT s.sealed_secret FROM webhook_earlier_secrets s
  WHERE s.endpoint_id = ${endpointId} AND s.signs_until > now() ORDER BY s.id DESC), '{}')`;
