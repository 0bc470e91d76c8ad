import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import pLimit from 'p-limit';
import { Gauge } from 'prom-client';

import { Instance } from '../../core/queue/instance.js';
import { Metrics } from '../../core/telemetry/metrics.js';
import { DeliveryDispatch } from '../delivery-dispatch.js';
import { EndpointChangeNotices } from '../endpoint-change-notices.js';
import { EndpointSecrets } from '../endpoint-secrets.js';
import { DeliverySender } from './delivery-sender.js';
import { DueRepository } from './due.repository.js';
import { type DrainParts, EndpointDrain } from './endpoint-drain.js';
import { OutcomeWriter } from './outcome-writer.js';
import { SendSlots } from './send-slots.js';

const LOOK_EVERY_MS = 1_000;
const RENEW_EVERY_MS = 5_000;
const MOST_ENDPOINTS = 1_000;
/** Connections to the database that fetching may have at a time. */
const FETCHES_AT_ONCE = 4;

/** The endpoints that this worker sends to just now. */
@Injectable()
export class DeliveryDrains implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Deliveries');
  private readonly active = new Map<string, EndpointDrain>();
  private readonly parts: DrainParts;
  private open = false;
  private sweeping = false;

  constructor(
    private readonly due: DueRepository,
    private readonly dispatch: DeliveryDispatch,
    private readonly notices: EndpointChangeNotices,
    private readonly instance: Instance,
    private readonly metrics: Metrics,
    secrets: EndpointSecrets,
    sender: DeliverySender,
    writer: OutcomeWriter,
  ) {
    const fetches = pLimit(FETCHES_AT_ONCE);
    this.parts = {
      sender,
      writer,
      slots: new SendSlots(),
      take: (id, held) => fetches(() => due.take(id, instance.id, held)),
      keysOf: (id, { key, sealedSecrets }) => secrets.signingKeys(key, id, sealedSecrets),
      release: (id) => due.release(id, instance.id),
      warn: (message) => this.logger.warn(message),
    };
  }

  onApplicationBootstrap(): void {
    this.open = true;
    this.dispatch.registerLocal((endpointId) => void this.drain(endpointId));
    const { active } = this;
    new Gauge({
      name: 'gatehouse_webhook_attempts_in_flight',
      help: 'Attempts to deliver an event that are under way.',
      registers: [this.metrics.registry],
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

  @Interval(LOOK_EVERY_MS)
  async sweep(): Promise<void> {
    if (!this.open || this.sweeping) return;
    this.sweeping = true;
    try {
      const waiting = await this.due.waiting(this.instance.id);
      for (const { id } of waiting.filter(({ sendable }) => !sendable)) await this.due.failDue(id);
      const sendable = waiting.filter((endpoint) => endpoint.sendable).map(({ id }) => id);
      // Begun anywhere, so that where there are too many for one worker, none is always among the last.
      const start = Math.floor(Math.random() * sendable.length);
      for (const id of [...sendable.slice(start), ...sendable.slice(0, start)]) void this.drain(id);
    } catch (error) {
      this.logger.warn(`Could not look for deliveries: ${String(error)}`);
    } finally {
      this.sweeping = false;
    }
  }

  @Interval(RENEW_EVERY_MS)
  async renew(): Promise<void> {
    const leased = [...this.active.values()].filter(({ hasLease }) => hasLease);
    if (leased.length === 0) return;
    try {
      const ours = await this.due.renew(
        leased.map(({ endpointId }) => endpointId),
        this.instance.id,
      );
      for (const drain of leased) if (drain.hasLease && !ours.has(drain.endpointId)) drain.stop();
    } catch (error) {
      this.logger.warn(`Leases could not be renewed: ${String(error)}`);
    }
  }

  /** Attempts under way take ten seconds at most. */
  async beforeApplicationShutdown(): Promise<void> {
    this.open = false;
    const drains = [...this.active.values()];
    for (const drain of drains) drain.stop();
    await Promise.all(drains.map(({ done }) => done));
  }
}
