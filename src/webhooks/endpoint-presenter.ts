import type { WebhookEndpointDto } from './endpoint.dto.js';
import type { EndpointRow } from './endpoints.repository.js';

export function presentEndpoint(row: EndpointRow): WebhookEndpointDto {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    enabled: row.enabled,
    eventTypes: row.eventTypes,
    environment: row.environment,
    consecutiveFailures: row.consecutiveFailures,
    lastStatus: row.lastStatus,
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** How an endpoint is called where people read of it: its URL may hold what only its receiver should know. */
export function endpointName({ url, description }: { url: string; description: string | null }): string {
  return description || new URL(url).host;
}
