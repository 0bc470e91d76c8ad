import type { WebhookEndpointDto } from './endpoint.dto.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** @param environment the environment's name */
export function presentEndpoint(endpoint: WebhookEndpoint, environment: string): WebhookEndpointDto {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    enabled: endpoint.enabled,
    eventTypes: endpoint.eventTypes,
    environment,
    consecutiveFailures: endpoint.consecutiveFailures,
    lastStatus: endpoint.lastStatus,
    lastAttemptAt: endpoint.lastAttemptAt?.toISOString() ?? null,
    createdAt: endpoint.createdAt.toISOString(),
  };
}

/** What people read instead of an endpoint's URL, which may hold what only its receiver should know. */
export function endpointName({ url, description }: Pick<WebhookEndpoint, 'url' | 'description'>): string {
  return description || new URL(url).host;
}
