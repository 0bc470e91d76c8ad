import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/caller.js';
import { isId, newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import { type Page, type PageRequest, keysetPage } from '../core/database/page.js';
import { Conflict, NotFound } from '../core/errors/problems.js';
import { Waker } from '../core/work/waker.js';
import { UsageService } from '../usage/index.js';
import { type AttemptRow, DeliveriesRepository, type DeliveryRow } from './deliveries.repository.js';
import { DELIVERIES_QUEUE } from './deliveries-queue.js';
import type { WebhookAttemptDto, WebhookDeliveryDto, WebhookDeliveryOutcomeDto } from './delivery.dto.js';
import { Endpoints } from './endpoints.service.js';
import type { EndpointRow } from './endpoints.repository.js';

@Injectable()
export class Deliveries {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: Endpoints,
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
    const delivery = await this.find(endpoint, id);
    return keysetPage(
      request,
      { list: 'webhook_attempts', filters: [caller.workspace.id, delivery.id] },
      async (after, count) => {
        const before = after === null ? null : numberOf(after);
        const rows = await this.deliveries.attempts(delivery.id, before, count);
        return rows.map((row) => ({ ...row, id: placeOf(row.number) }));
      },
      (row) => presentAttempt(row),
    );
  }

  redeliver(caller: WorkspaceCaller, endpointId: string, id: string): Promise<WebhookDeliveryOutcomeDto> {
    return this.database.transaction(async () => {
      const endpoint = await this.endpoints.lock(caller, endpointId);
      const { eventId, eventType } = await this.find(endpoint, id);
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

  private async find(endpoint: EndpointRow, id: string): Promise<DeliveryRow> {
    const row = isId('delivery', id) ? await this.deliveries.find(endpoint.id, id) : null;
    if (!row) throw new NotFound('delivery');
    return row;
  }
}

function presentDelivery(row: DeliveryRow): WebhookDeliveryDto {
  return {
    id: row.id,
    eventId: row.eventId,
    eventType: row.eventType,
    status: row.status,
    attempts: row.attempts,
    lastStatus: row.lastStatus,
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    nextAttemptAt: row.status === 'pending' ? row.nextAttemptAt.toISOString() : null,
    redeliveryOf: row.redeliveryOf,
    createdAt: row.createdAt.toISOString(),
  };
}

function presentAttempt(row: AttemptRow): WebhookAttemptDto {
  return {
    number: row.number,
    status: row.status,
    error: row.error,
    durationMs: row.durationMs,
    response: row.answer,
    attemptedAt: row.attemptedAt.toISOString(),
  };
}

/** Attempts have no ids; for the cursor of their list, their numbers take that form. */
const placeOf = (number: number): string => `att_${String(number).padStart(26, '0')}`;
const numberOf = (place: string): number => Number(place.slice('att_'.length));
