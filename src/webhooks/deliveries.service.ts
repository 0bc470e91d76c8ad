import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { isId, newId } from '../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { Conflict, NotFound } from '../core/errors/index.js';
import { eventBody } from '../core/outbox/index.js';
import { Waker } from '../core/work/index.js';
import { UsageService } from '../usage/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DELIVERIES_QUEUE } from './deliveries-queue.js';
import type {
  WebhookAttemptDto,
  WebhookDeliveryDto,
  WebhookDeliveryOutcomeDto,
  WebhookDeliveryQuery,
  WebhookRequestDto,
  WebhookStatisticsDto,
} from './delivery.dto.js';
import { presentAttempt, presentDelivery, presentRequest } from './delivery.presenter.js';
import { hoursOf, MOST_COUNTED, startOfHours } from './delivery-hours.js';
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
    query: WebhookDeliveryQuery,
  ): Promise<Page<WebhookDeliveryDto>> {
    const endpoint = await this.endpoints.find(caller, endpointId);
    const { status, eventType, since, until } = query;
    const moments = { since: since && new Date(since), until: until && new Date(until) };
    const filters = {
      status,
      eventType,
      since: moments.since || undefined,
      until: moments.until || undefined,
    };
    return keysetPage(
      query,
      { list: 'webhook_deliveries', filters: [caller.workspace.id, endpoint.id, filters] },
      (after, count) => this.deliveries.list(endpoint.id, filters, after, count),
      presentDelivery,
    );
  }

  /** What was sent at an attempt, the last one where none is named; where there was none, what will be sent. */
  async request(
    caller: WorkspaceCaller,
    endpointId: string,
    id: string,
    number?: number,
  ): Promise<WebhookRequestDto> {
    const endpoint = await this.endpoints.find(caller, endpointId);
    const delivery = await this.find(endpoint.id, id);
    const attempt = await this.deliveries.attempt(delivery.id, number ?? null);
    if (!attempt && number !== undefined) throw new NotFound('attempt');
    const event = await this.deliveries.eventOf(delivery);
    if (!event) throw new NotFound('event any more');
    return presentRequest({ id: delivery.id, body: eventBody(event) }, attempt, endpoint.url);
  }

  /** How many deliveries there were in each of the last 24 hours. */
  async statistics(caller: WorkspaceCaller, endpointId: string): Promise<WebhookStatisticsDto> {
    const endpoint = await this.endpoints.find(caller, endpointId);
    const since = startOfHours(new Date());
    return hoursOf(since, await this.deliveries.countByHour(endpoint.id, since, MOST_COUNTED));
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
