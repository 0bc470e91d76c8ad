import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type DispatchedEvent, EventConsumers } from '../core/outbox/index.js';
import { Waker } from '../core/work/index.js';
import { UsageService } from '../usage/index.js';
import { DeliveriesRepository, type NewDelivery } from './deliveries.repository.js';
import { DELIVERIES_QUEUE } from './deliveries-queue.js';
import { PING } from './webhook.event-types.js';

/** Makes a delivery of each event for every endpoint that wants it. */
@Injectable()
export class FanOutService implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly deliveries: DeliveriesRepository,
    private readonly waker: Waker,
    private readonly usage: UsageService,
  ) {}

  onModuleInit(): void {
    this.consumers.register('deliveries', (events) => this.deliver(events));
  }

  private async deliver(events: readonly DispatchedEvent[]): Promise<void> {
    // A ping is for the endpoint that is tested, whose delivery was made with it.
    const sendable = events.filter(({ type }) => type !== PING);
    if (sendable.length === 0) return;
    const deliveries = await this.admitted(await this.deliveries.receivers(sendable), sendable);
    if (deliveries.length === 0) return;
    await this.deliveries.insertLast(deliveries);
    const endpoints = new Set(deliveries.map(({ endpointId }) => endpointId));
    this.waker.wake(DELIVERIES_QUEUE, endpoints);
  }

  /** Drops what the plan does not allow. With a larger plan it can be recovered, like anything that was missed. */
  private async admitted(
    deliveries: readonly NewDelivery[],
    events: readonly DispatchedEvent[],
  ): Promise<readonly NewDelivery[]> {
    const workspaces = new Map(events.map(({ id, workspaceId }) => [id, workspaceId]));
    const workspaceIds = deliveries.map(({ eventId }) => workspaces.get(eventId)!);
    if (await this.usage.countUnlimited('webhook_deliveries', workspaceIds)) return deliveries;
    const refusals = await this.usage.admit('webhook_deliveries', workspaceIds);
    return deliveries.filter((_, index) => refusals[index] === null);
  }
}
