import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/caller.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import { IdempotencyService } from '../core/idempotency/idempotency.service.js';
import { ResourceResponses } from '../core/idempotency/resource-responses.js';
import { Outbox } from '../core/outbox/outbox.js';
import { UsageService } from '../usage/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { WebhookDeliveryOutcomeDto } from './delivery.dto.js';
import { EndpointTestsRepository } from './endpoint-tests.repository.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { Endpoints } from './endpoints.service.js';
import { messageBody } from './sending/attempt.js';
import { DeliverySender } from './sending/delivery-sender.js';
import { OutcomeWriter } from './sending/outcome-writer.js';
import { PING } from './webhook.event-types.js';

const RESOURCE = 'webhook_test';
const MESSAGE = 'This is a test. Your endpoint works if it answers with a status of 2xx.';

/** Tries an endpoint out: an event of its own, attempted at once and once, while whoever asked waits. */
@Injectable()
export class EndpointTests implements OnModuleInit {
  constructor(
    private readonly endpoints: Endpoints,
    private readonly tests: EndpointTestsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly secrets: EndpointSecrets,
    private readonly sender: DeliverySender,
    private readonly writer: OutcomeWriter,
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly idempotency: IdempotencyService,
    private readonly answers: ResourceResponses,
    private readonly usage: UsageService,
  ) {}

  onModuleInit(): void {
    this.answers.register(RESOURCE, async (id) => {
      const delivery = await this.tests.outcome(id);
      if (!delivery || delivery.status === 'pending') return null;
      const { status, lastStatus } = delivery;
      return { status: 200, body: outcomeOf(id, status === 'delivered', lastStatus) };
    });
  }

  async test(caller: WorkspaceCaller, endpointId: string): Promise<WebhookDeliveryOutcomeDto> {
    const deliveryId = newId('delivery');
    await this.database.transaction(async () => {
      const endpoint = await this.endpoints.find(caller, endpointId);
      const eventId = await this.outbox.write({
        workspaceId: caller.workspace.id,
        environmentId: caller.environment.id,
        type: PING,
        data: { message: MESSAGE },
      });
      await this.deliveries.insertOwn(deliveryId, { endpointId, eventId, eventType: PING });
      await this.usage.consume(caller.workspace.id, 'webhook_deliveries');
      await this.endpoints.record(caller, 'webhook_endpoint.tested', endpoint, { deliveryId });
      await this.idempotency.commit(RESOURCE, deliveryId);
    });
    const { target, event } = await this.prepared(deliveryId);
    const outcome = await this.sender.send(target, { id: deliveryId, body: messageBody(event) });
    await this.writer.write({ ...outcome, endpointId, deliveryId, number: 1 });
    return outcomeOf(deliveryId, outcome.ok, outcome.status);
  }

  private async prepared(deliveryId: string) {
    const { key, endpointId, url, sealedSecrets, event } = await this.tests.prepare(deliveryId);
    return { target: { url, keys: this.secrets.signingKeys(key, endpointId, sealedSecrets) }, event };
  }
}

function outcomeOf(deliveryId: string, ok: boolean, status: number | null): WebhookDeliveryOutcomeDto {
  return { deliveryId, queued: false, ok, status };
}
