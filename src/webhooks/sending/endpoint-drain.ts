import { Logger } from '@nestjs/common';

import { eventBody } from '../../core/outbox/index.js';
import type { AttemptOutcome, SendTarget } from './attempt.js';
import type { DeliverySender } from './delivery-sender.js';
import { BATCH, type DueDelivery } from './due.sql.js';
import type { EndpointLeases, TakenBatch } from './endpoint-leases.js';
import { GONE, MOST_FAILURES } from './endpoint-summary.js';
import type { OutcomeWriter } from './outcome-writer.js';
import type { PermitUser, SendPermits } from './send-permits.js';

/** Attempts at one endpoint that may be in progress at a time. */
export const WIDEST = 16;
/** Endpoints of one owner that are sent to at a time: more than there are attempts, and half of those of all. */
export const MOST_OF_AN_OWNER = 500;
/** To begin with, and after a failure: an endpoint that does not respond keeps few connections busy. */
const NARROW = 4;
/**
 * The next deliveries are taken while so many of the last ones are still to be sent, for each attempt in progress.
 * Where nothing moves, one event more is no reason to ask again.
 */
const TAKE_BELOW = 4;

export interface DrainParts {
  leases: EndpointLeases;
  sender: DeliverySender;
  writer: OutcomeWriter;
  permits: SendPermits;
}

/**
 * Sends what is due at one endpoint: takes the lease with the next deliveries, sends several at a time, and records what came
 * of each. The database is neither waited for with a connection open, nor the other way round.
 */
export class EndpointDrain implements PermitUser {
  private readonly logger = new Logger('Deliveries');
  /** Known with the first deliveries, before the first attempt. */
  owner = '';
  inFlight = 0;
  attempted = 0;
  /** More may be due than what was taken. */
  private isDue = true;
  private isStopping = false;
  /** As it was taken last; null: the lease is not ours. */
  private target: SendTarget | null = null;
  /** Taken, in the order in which they are sent. */
  private readonly waiting = new Set<DueDelivery>();
  /** In progress, or not recorded yet. */
  private readonly begun = new Set<DueDelivery>();
  private width = NARROW;
  /** In a row, as far as known here: no attempt is begun that could be one too many. */
  private failures = 0;
  /** Changes whenever the endpoint does, so that what was taken just before is not used. */
  private version = 0;
  private change = Promise.withResolvers<void>();

  constructor(
    readonly endpointId: string,
    private readonly parts: DrainParts,
  ) {}

  /** Whether the endpoint's row names this worker, as far as known here. */
  get hasLease(): boolean {
    return this.target !== null;
  }

  /** Until nothing is due and all is recorded. */
  async run(): Promise<void> {
    while (this.isDue) {
      for await (const delivery of this.taken()) {
        if (await this.mayBegin(delivery)) void this.sendAndRecord(delivery);
      }
      await this.letGo();
    }
  }

  /** More may be due. */
  wake(): void {
    this.isDue = !this.isStopping;
    this.change.resolve();
  }

  /** The endpoint is not what it was: what is not in progress yet is taken anew. */
  reload(): void {
    this.version += 1;
    this.waiting.clear();
    this.wake();
  }

  /** Attempts in progress end, and nothing further is begun. */
  stop(): void {
    this.isStopping = true;
    this.reload();
  }

  /** What is due, the first again until it has begun or was dropped. The next ones are taken while the last ones are sent. */
  private async *taken(): AsyncGenerator<DueDelivery> {
    let taking: Promise<void> | null = null;
    while (taking || this.isDue || this.waiting.size > 0 || this.begun.size > 0) {
      if (this.isDue && this.waiting.size < TAKE_BELOW * this.width) {
        taking ??= this.take().finally(() => (taking = null));
      }
      const [delivery] = this.waiting;
      if (delivery) yield delivery;
      else await (taking ?? this.changed());
    }
  }

  private async take(): Promise<void> {
    const { version } = this;
    this.isDue = false;
    try {
      const held = [...this.begun, ...this.waiting].map(({ id }) => id);
      const batch = await this.parts.leases.take(this.endpointId, held);
      if (batch) this.accept(batch, version);
    } catch (error) {
      // The next poll looks for it again.
      this.logger.warn(`Deliveries to ${this.endpointId} could not be taken: ${String(error)}`);
    }
  }

  private accept(batch: TakenBatch, version: number): void {
    if (!this.hasLease) this.join(batch);
    this.target = batch.target;
    if (version !== this.version) return;
    this.failures = Math.min(Math.max(this.failures, batch.consecutiveFailures), MOST_FAILURES - 1);
    for (const delivery of batch.deliveries) this.waiting.add(delivery);
    this.isDue ||= batch.deliveries.length === BATCH;
  }

  /** Where its owner has too many already, it ends here. The next poll looks for it again. */
  private join({ owner, consecutiveFailures }: TakenBatch): void {
    const { permits } = this.parts;
    if (consecutiveFailures > 0) this.width = 1;
    this.owner = owner;
    if (permits.usersOf(owner) >= MOST_OF_AN_OWNER) this.stop();
    permits.join(this);
  }

  /** Resolves once there is a permit for an attempt, or with false: the delivery was dropped. */
  private async mayBegin(delivery: DueDelivery): Promise<boolean> {
    const { permits } = this.parts;
    while (this.waiting.has(delivery)) {
      while (!this.hasRoom) await this.changed();
      await permits.acquire(this);
      if (this.hasRoom && this.waiting.delete(delivery)) return true;
      permits.release(this);
    }
    return false;
  }

  private get hasRoom(): boolean {
    return this.inFlight < Math.floor(this.width) && this.failures + this.inFlight < MOST_FAILURES;
  }

  private async changed(): Promise<void> {
    await this.change.promise;
    this.change = Promise.withResolvers();
  }

  private async sendAndRecord(delivery: DueDelivery): Promise<void> {
    const { endpointId } = this;
    const { id, number } = delivery;
    this.begun.add(delivery);
    const outcome = await this.send(delivery);
    await this.parts.writer.write({ ...outcome, endpointId, deliveryId: id, number });
    this.begun.delete(delivery);
    // With all outcomes recorded, the endpoint is disabled by now, unless somebody's test succeeded meanwhile: what it is is asked anew.
    if (this.failures >= MOST_FAILURES && this.begun.size === 0) {
      this.failures = 0;
      this.reload();
    }
    this.change.resolve();
  }

  private async send(delivery: DueDelivery): Promise<AttemptOutcome> {
    const { endpointId, parts } = this;
    this.inFlight += 1;
    this.attempted += 1;
    const message = { id: delivery.id, body: eventBody(delivery) };
    const outcome = await parts.sender.send(this.target!, message, { ...delivery, endpointId });
    this.inFlight -= 1;
    this.learn(outcome);
    parts.permits.release(this);
    this.change.resolve();
    return outcome;
  }

  /**
   * One that is gone gets nothing further, as if it had failed too often. Width grows by one for as many successes as it is
   * wide: a connection more has to be worth its making. It halves for a failure.
   */
  private learn({ ok, status }: AttemptOutcome): void {
    if (status === GONE || this.failures >= MOST_FAILURES) this.failures = MOST_FAILURES;
    else this.failures = ok ? 0 : this.failures + 1;
    this.width = ok ? Math.min(WIDEST, this.width + 1 / this.width) : Math.max(1, this.width / 2);
  }

  private async letGo(): Promise<void> {
    if (!this.hasLease) return;
    this.parts.permits.leave(this);
    this.target = null;
    await this.parts.leases.release(this.endpointId).catch((error: unknown) => {
      this.logger.warn(`${this.endpointId} could not be let go of: ${String(error)}`);
    });
  }
}
