import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { RetryResponseRegistry } from '../core/idempotency/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { deliveryOutcome } from './delivery.presenter.js';
import { presentEndpoint } from './endpoint.presenter.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointsRepository, placeOf } from './endpoints.repository.js';
import { ENDPOINT_CHANGED, ENDPOINT_CREATED, WEBHOOK_TEST } from './webhook.resources.js';

type Retry = Promise<{ status: number; body: unknown } | null>;

/** The response to a retry of a request that has committed already, made anew from what it left behind. */
@Injectable()
export class WebhookRetryResponses implements OnModuleInit {
  constructor(
    private readonly responses: RetryResponseRegistry,
    private readonly endpoints: EndpointsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly secrets: EndpointSecrets,
  ) {}

  onModuleInit(): void {
    this.responses.register(ENDPOINT_CREATED, (id, caller) => this.created(id, caller));
    this.responses.register(ENDPOINT_CHANGED, (id, caller) => this.changed(id, caller));
    this.responses.register(WEBHOOK_TEST, (id) => this.tested(id));
  }

  private async created(id: string, caller: WorkspaceCaller): Retry {
    const endpoint = await this.endpoints.find(placeOf(caller), id);
    if (!endpoint) return null;
    const secret = await this.secrets.open(caller.workspace.id, id, endpoint.sealedSecret);
    return { status: 201, body: { endpoint: presentEndpoint(endpoint, caller.environment.name), secret } };
  }

  private async changed(id: string, caller: WorkspaceCaller): Retry {
    const endpoint = await this.endpoints.find(placeOf(caller), id);
    return endpoint && { status: 200, body: presentEndpoint(endpoint, caller.environment.name) };
  }

  private async tested(id: string): Retry {
    const delivery = await this.deliveries.outcomeOf(id);
    if (!delivery || delivery.status === 'pending') return null;
    const outcome = { ok: delivery.status === 'delivered', status: delivery.lastStatus };
    return { status: 200, body: deliveryOutcome(id, outcome) };
  }
}
