import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Notifications } from '../../core/database/index.js';
import { Drain, HeldCopy, Loop, RENEW_EVERY_MS, Waker } from '../../core/work/index.js';
import { Metrics, Sampled } from '../../core/telemetry/index.js';
import { DELIVERIES_QUEUE } from '../deliveries-queue.js';
import { ENDPOINT_TOPIC } from '../endpoints.repository.js';
import { DeliverySender } from './delivery-sender.js';
import { DueRepository, type WaitingEndpoint } from './due.repository.js';
import { type DrainParts, EndpointDrain, MOST_OF_AN_OWNER } from './endpoint-drain.js';
import { EndpointLeases } from './endpoint-leases.js';
import { OutcomeWriter } from './outcome-writer.js';
import { SendPermits } from './send-permits.js';

const LOOK_EVERY_MS = 1_000;
const MOST_ENDPOINTS = 1_000;

interface ActiveDrain {
  drain: EndpointDrain;
  /** How many were attempted, once all is recorded. */
  ended: Promise<number>;
}

/** The endpoints that this worker sends to just now. */
@Injectable()
export class DeliveryDrains implements OnApplicationBootstrap {
  private readonly active = new Map<string, ActiveDrain>();
  private readonly parts: DrainParts;
  private open = false;

  constructor(
    private readonly due: DueRepository,
    private readonly waker: Waker,
    private readonly notifications: Notifications,
    private readonly metrics: Metrics,
    private readonly copy: HeldCopy,
    leases: EndpointLeases,
    sender: DeliverySender,
    writer: OutcomeWriter,
  ) {
    this.parts = { leases, sender, writer, permits: new SendPermits() };
  }

  onApplicationBootstrap(): void {
    this.open = true;
    this.waker.onWake(DELIVERIES_QUEUE, { wake: (endpointIds) => this.drainAll(endpointIds) });
    const { due } = this;
    const waiting = new Sampled(() => due.count());
    this.metrics.gauge(
      'gatehouse_webhook_deliveries_due',
      'Deliveries of the whole service that are due and not made yet; every worker tells the same.',
      () => waiting.value(),
    );
    this.metrics.gauge(
      'gatehouse_webhook_attempts_in_flight',
      'Attempts to deliver an event that are under way.',
      () => this.drains().reduce((sum, { inFlight }) => sum + inFlight, 0),
    );
  }

  /** Sends what is due at an endpoint. Resolves with how many were attempted, once that is recorded. */
  drain(endpointId: string): Promise<number> {
    const known = this.active.get(endpointId);
    if (known) {
      known.drain.wake();
      return known.ended;
    }
    // The next poll finds the rest, when others are done with.
    if (!this.open || this.copy.isHeld || this.active.size >= MOST_ENDPOINTS) return Promise.resolve(0);
    const drain = new EndpointDrain(endpointId, this.parts);
    const ended = this.untilEnded(drain);
    this.active.set(endpointId, { drain, ended });
    return ended;
  }

  @Loop({ every: LOOK_EVERY_MS, hasRoom: (self: DeliveryDrains) => self.open, reachesOut: true })
  async look(): Promise<void> {
    const waiting = await this.due.waiting();
    for (const { id } of waiting.filter(({ sendable }) => !sendable)) await this.due.failDue(id);
    const sendable = waiting
      .filter((endpoint) => endpoint.sendable && this.hasRoomFor(endpoint))
      .map(({ id }) => id);
    // Begun anywhere, so that where there are too many for one worker, none is always among the last.
    const start = Math.floor(Math.random() * sendable.length);
    this.drainAll([...sendable.slice(start), ...sendable.slice(0, start)]);
  }

  @Loop({ every: RENEW_EVERY_MS, atStart: false, stage: 'holding' })
  async renew(): Promise<void> {
    const leased = this.drains().filter(({ hasLease }) => hasLease);
    if (leased.length === 0) return;
    const ours = await this.due.renew(leased.map(({ endpointId }) => endpointId));
    for (const drain of leased) if (drain.hasLease && !ours.has(drain.endpointId)) drain.stop();
  }

  /** Attempts in progress take ten seconds at most. */
  @Drain()
  async finish(): Promise<void> {
    this.open = false;
    for (const drain of this.drains()) drain.stop();
    await Promise.all([...this.active.values()].map(({ ended }) => ended));
  }

  private async untilEnded(drain: EndpointDrain): Promise<number> {
    const unsubscribe = this.notifications.on(ENDPOINT_TOPIC, drain.endpointId, () => drain.reload());
    await drain.run();
    unsubscribe();
    this.active.delete(drain.endpointId);
    return drain.attempted;
  }

  private drains(): EndpointDrain[] {
    return [...this.active.values()].map(({ drain }) => drain);
  }

  private hasRoomFor({ id, owner }: WaitingEndpoint): boolean {
    return this.active.has(id) || this.parts.permits.usersOf(owner!) < MOST_OF_AN_OWNER;
  }

  private drainAll(endpointIds: readonly string[]): boolean {
    for (const id of endpointIds) void this.drain(id);
    return this.open;
  }
}
