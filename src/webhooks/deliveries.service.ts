import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { isId, newId } from '../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { Conflict, NotFound } from '../core/errors/index.js';
import { Waker } from '../core/work/index.js';
import { UsageService } from '../usage/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DELIVERIES_QUEUE } from './deliveries-queue.js';
import type { WebhookAttemptDto, WebhookDeliveryDto, WebhookDeliveryOutcomeDto } from './delivery.dto.js';
import { presentAttempt, presentDelivery } from './delivery.presenter.js';
import { EndpointsService } from './endpoints.service.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';

@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsService,
    private readonly waker: Waker,
    private readonly database: Database,
    private readonly usage: UsageService,
  ) {}

  async list(
    caller: WorkspaceCaller,
    endpointId: string,
    request: PageRequest,
  ): Promise<Page<WebhookDeliveryDto>> {
    const endpoint = await this.endpoints.find(caller, endpointId);
    return keysetPage(
      request,
      { list: 'webhook_deliveries', filters: [caller.workspace.id, endpoint.id] },
      (after, count) => this.deliveries.list(endpoint.id, after, count),
      presentDelivery,
    );
  }

  async attempts(
    caller: WorkspaceCaller,
    endpointId: string,
    id: string,
    request: PageRequest,
  ): Promise<Page<WebhookAttemptDto>> {
    const endpoint = await this.endpoints.find(caller, endpointId);
    const delivery = await this.find(endpoint.id, id);
    return keysetPage(
      request,
      { list: 'webhook_attempts', filters: [caller.workspace.id, delivery.id] },
      async (after, count) => {
        const before = after === null ? null : numberOf(after);
        const attempts = await this.deliveries.attemptsOf(delivery.id, before, count);
        return attempts.map((attempt) => ({ ...attempt, id: cursorIdOf(attempt.number) }));
      },
      (attempt) => presentAttempt(attempt),
    );
  }

  redeliver(caller: WorkspaceCaller, endpointId: string, id: string): Promise<WebhookDeliveryOutcomeDto> {
    return this.database.transaction(async () => {
      const endpoint = await this.endpoints.lock(caller, endpointId);
      const { eventId, eventType } = await this.find(endpoint.id, id);
      if (!endpoint.enabled) throw new Conflict('The endpoint is disabled. Enable it first.');
      const deliveryId = newId('delivery');
      const delivery = { endpointId: endpoint.id, eventId, eventType, redeliveryOf: id };
      await this.deliveries.insertRedelivery(deliveryId, delivery);
      await this.usage.consume(caller.workspace.id, 'webhook_deliveries');
      const details = { deliveryId, redeliveryOf: id, eventType };
      await this.endpoints.record(caller, 'webhook_endpoint.redelivered', endpoint, details);
      this.waker.wake(DELIVERIES_QUEUE, [endpoint.id]);
      return { deliveryId, queued: true };
    });
  }

  private async find(endpointId: string, id: string): Promise<WebhookDelivery> {
    const delivery = isId('delivery', id) ? await this.deliveries.find(endpointId, id) : null;
    if (!delivery) throw new NotFound('delivery');
    return delivery;
  }
}

/** Attempts have no ids: the cursor of their list has their number in the form of one. */
const cursorIdOf = (number: number): string => `att_${String(number).padStart(26, '0')}`;
const numberOf = (cursorId: string): number => Number(cursorId.slice('att_'.length));
