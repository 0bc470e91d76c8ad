import { Injectable } from '@nestjs/common';

import { type AuditAction, AuditTrail } from '../audit/index.js';
import { assertConfirmed, type WorkspaceCaller } from '../core/access/index.js';
import { isId } from '../core/crypto/index.js';
import { Database, keysetPage, Notifications, type Page, type PageRequest } from '../core/database/index.js';
import { NotFound } from '../core/errors/index.js';
import { IdempotencyService } from '../core/idempotency/index.js';
import { changedFields, patched } from '../core/json/index.js';
import { EndpointValidator } from './endpoint-validator.js';
import type { EndpointPatch, WebhookEndpointCreatedDto, WebhookEndpointDto } from './endpoint.dto.js';
import { endpointName, presentEndpoint } from './endpoint.presenter.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import {
  ENDPOINT_TOPIC,
  type EndpointSettings,
  EndpointsRepository,
  placeOf,
} from './endpoints.repository.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { ENDPOINT_CHANGED } from './webhook.resources.js';

const SETTINGS = ['url', 'description', 'eventTypes'] as const;

/** The endpoints of the environment in which the caller acts; those of others do not exist there. */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly endpoints: EndpointsRepository,
    private readonly checks: EndpointValidator,
    private readonly secrets: EndpointSecrets,
    private readonly notifications: Notifications,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly idempotency: IdempotencyService,
  ) {}

  list(caller: WorkspaceCaller, request: PageRequest): Promise<Page<WebhookEndpointDto>> {
    const place = placeOf(caller);
    return keysetPage(
      request,
      { list: 'webhook_endpoints', filters: place },
      (after, count) => this.endpoints.list(place, after, count),
      (endpoint) => presentEndpoint(endpoint, caller.environment.name),
    );
  }

  async get(caller: WorkspaceCaller, id: string): Promise<WebhookEndpointDto> {
    return presentEndpoint(await this.find(caller, id), caller.environment.name);
  }

  async find(caller: WorkspaceCaller, id: string): Promise<WebhookEndpoint> {
    const endpoint = isId('endpoint', id) ? await this.endpoints.find(placeOf(caller), id) : null;
    if (!endpoint) throw new NotFound('webhook endpoint');
    return endpoint;
  }

  /** As `find`, locked until the transaction ends. */
  async lock(caller: WorkspaceCaller, id: string): Promise<WebhookEndpoint> {
    const endpoint = isId('endpoint', id) ? await this.endpoints.lock(placeOf(caller), id) : null;
    if (!endpoint) throw new NotFound('webhook endpoint');
    return endpoint;
  }

  async change(caller: WorkspaceCaller, id: string, patch: EndpointPatch): Promise<WebhookEndpointDto> {
    await this.checks.check(patch);
    return this.database.transaction(async () => {
      const before = await this.lock(caller, id);
      const settings = patched<EndpointSettings>(SETTINGS, before, patch);
      const after = { ...before, ...settings };
      // A new receiver takes what the first one took.
      if (after.url !== before.url) assertConfirmed(caller);
      const changed = changedFields(SETTINGS, before, after);
      if (changed.length > 0) {
        await this.endpoints.change(id, settings);
        await this.record(caller, 'webhook_endpoint.updated', after, { changed });
        await this.notifications.notify(ENDPOINT_TOPIC, id);
      }
      await this.idempotency.commit(ENDPOINT_CHANGED, id);
      return presentEndpoint(after, caller.environment.name);
    });
  }

  delete(caller: WorkspaceCaller, id: string): Promise<void> {
    return this.database.transaction(async () => {
      const endpoint = await this.lock(caller, id);
      await this.endpoints.delete(id);
      await this.record(caller, 'webhook_endpoint.deleted', endpoint);
      await this.notifications.notify(ENDPOINT_TOPIC, id);
    });
  }

  enable(caller: WorkspaceCaller, id: string): Promise<WebhookEndpointDto> {
    return this.database.transaction(async () => {
      const before = await this.lock(caller, id);
      const after = { ...before, enabled: true, consecutiveFailures: 0 };
      if (!before.enabled || before.consecutiveFailures > 0) {
        await this.endpoints.enable(id);
        await this.record(caller, 'webhook_endpoint.enabled', after);
        await this.notifications.notify(ENDPOINT_TOPIC, id);
      }
      return presentEndpoint(after, caller.environment.name);
    });
  }

  rotateSecret(caller: WorkspaceCaller, id: string): Promise<WebhookEndpointCreatedDto> {
    return this.database.transaction(async () => {
      const endpoint = await this.lock(caller, id);
      const { secret, sealedSecret } = await this.secrets.make(caller.workspace.id, id);
      await this.endpoints.rotate(endpoint, sealedSecret);
      await this.record(caller, 'webhook_endpoint.secret_rotated', endpoint);
      await this.notifications.notify(ENDPOINT_TOPIC, id);
      return { endpoint: presentEndpoint(endpoint, caller.environment.name), secret };
    });
  }

  record(
    caller: WorkspaceCaller,
    action: Extract<AuditAction, `webhook_endpoint.${string}`>,
    endpoint: WebhookEndpoint,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const target = { type: 'webhook_endpoint', id: endpoint.id };
    return this.audit.record(caller.workspace.id, caller, action, target, {
      name: endpointName(endpoint),
      environment: caller.environment.name,
      ...details,
    });
  }
}
