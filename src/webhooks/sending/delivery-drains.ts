import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Gauge } from 'prom-client';

import { Drain, Instance, Loop, RENEW_EVERY_MS, Waker } from '../../core/work/index.js';
import { Metrics, Sampled } from '../../core/telemetry/index.js';
import { DELIVERIES_QUEUE } from '../deliveries-queue.js';
import { EndpointChangeNotices } from '../endpoint-change-notices.js';
import { EndpointSecrets } from '../endpoint-secrets.js';
import { DeliverySender } from './delivery-sender.js';
import { DueRepository, type WaitingEndpoint } from './due.repository.js';
import { type DrainParts, EndpointDrain, MOST_OF_AN_OWNER } from './endpoint-drain.js';
import { OutcomeWriter } from './outcome-writer.js';
import { SendSlots } from './send-slots.js';
import { TakesTogether } from './takes-together.js';

const LOOK_EVERY_MS = 1_000;
const MOST_ENDPOINTS = 1_000;

/** The endpoints that this worker sends to just now. */
@Injectable()
export class DeliveryDrains implements OnApplicationBootstrap {
  private readonly logger = new Logger('Deliveries');
  private readonly active = new Map<string, EndpointDrain>();
  private readonly parts: DrainParts;
  private open = false;

  constructor(
    private readonly due: DueRepository,
    private readonly waker: Waker,
    private readonly notices: EndpointChangeNotices,
    private readonly instance: Instance,
    private readonly metrics: Metrics,
    secrets: EndpointSecrets,
    sender: DeliverySender,
    writer: OutcomeWriter,
  ) {
    const takes = new TakesTogether((ids, held) => due.take(ids, instance.id, held));
    this.parts = {
      sender,
      writer,
      slots: new SendSlots(),
      take: (id, held) => takes.of(id, held),
      keysOf: (id, { key, sealedSecrets }) => secrets.signingKeys(key, id, sealedSecrets),
      release: (id) => due.release(id, instance.id),
      warn: (message) => this.logger.warn(message),
    };
  }

  onApplicationBootstrap(): void {
    this.open = true;
    this.waker.onWake(DELIVERIES_QUEUE, { wake: (endpointIds) => this.drainAll(endpointIds) });
    const { active, due } = this;
    const registers = [this.metrics.registry];
    const waiting = new Sampled(() => due.count());
    new Gauge({
      name: 'gatehouse_webhook_deliveries_due',
      help: 'Deliveries of the whole service that are due and not made yet; every worker tells the same.',
      registers,
      async collect() {
        this.set(await waiting.value());
      },
    });
    new Gauge({
      name: 'gatehouse_webhook_attempts_in_flight',
      help: 'Attempts to deliver an event that are under way.',
      registers,
      collect() {
        this.set([...active.values()].reduce((sum, { inFlight }) => sum + inFlight, 0));
      },
    });
  }

  /** Sends what is due at an endpoint. Resolves with how many were attempted, once that is written. */
  drain(endpointId: string): Promise<number> {
    const known = this.active.get(endpointId);
    if (known) {
      known.wake();
      return known.done;
    }
    // The rest is found by the clock, when others are done with.
    if (!this.open || this.active.size >= MOST_ENDPOINTS) return Promise.resolve(0);
    const drain = new EndpointDrain(endpointId, this.parts);
    this.active.set(endpointId, drain);
    const unsubscribe = this.notices.on(endpointId, () => drain.reload());
    void drain.done.then(() => {
      unsubscribe();
      this.active.delete(endpointId);
      if (drain.isWantedAgain) void this.drain(endpointId);
    });
    drain.begin();
    return drain.done;
  }

  @Loop({ every: LOOK_EVERY_MS, hasRoom: (self: DeliveryDrains) => self.open })
  async look(): Promise<void> {
    const waiting = await this.due.waiting(this.instance.id);
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
    const leased = [...this.active.values()].filter(({ hasLease }) => hasLease);
    if (leased.length === 0) return;
    const ours = await this.due.renew(
      leased.map(({ endpointId }) => endpointId),
      this.instance.id,
    );
    for (const drain of leased) if (drain.hasLease && !ours.has(drain.endpointId)) drain.stop();
  }

  /** Attempts under way take ten seconds at most. */
  @Drain()
  async finish(): Promise<void> {
    this.open = false;
    const drains = [...this.active.values()];
    for (const drain of drains) drain.stop();
    await Promise.all(drains.map(({ done }) => done));
  }

  private hasRoomFor({ id, owner }: WaitingEndpoint): boolean {
    return this.active.has(id) || this.parts.slots.usersOf(owner!) < MOST_OF_AN_OWNER;
  }

  private drainAll(endpointIds: readonly string[]): boolean {
    for (const id of endpointIds) void this.drain(id);
    return this.open;
  }
}
