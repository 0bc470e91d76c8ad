import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { IdempotencyService } from '../core/idempotency/index.js';
import { Outbox } from '../core/outbox/index.js';
import { UsageService } from '../usage/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { WebhookDeliveryOutcomeDto } from './delivery.dto.js';
import { deliveryOutcome } from './delivery.presenter.js';
import { EndpointsService } from './endpoints.service.js';
import { TestAttemptService } from './sending/test-attempt.service.js';
import { PING } from './webhook.event-types.js';
import { WEBHOOK_TEST } from './webhook.resources.js';

const MESSAGE = 'This is a test. Your endpoint works if it answers with a status of 2xx.';

/** Tests an endpoint: with an event of its own that is attempted once, while the request waits. */
@Injectable()
export class EndpointTestsService {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly deliveries: DeliveriesRepository,
    private readonly attempts: TestAttemptService,
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly idempotency: IdempotencyService,
    private readonly usage: UsageService,
  ) {}

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
      await this.deliveries.insertTest(deliveryId, { endpointId, eventId, eventType: PING });
      await this.usage.consume(caller.workspace.id, 'webhook_deliveries');
      await this.endpoints.record(caller, 'webhook_endpoint.tested', endpoint, { deliveryId });
      await this.idempotency.commit(WEBHOOK_TEST, deliveryId);
    });
    return deliveryOutcome(deliveryId, await this.attempts.attempt(deliveryId));
  }
}
