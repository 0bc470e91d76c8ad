import { Logger } from '@nestjs/common';

import { eventBody } from '../../core/outbox/index.js';
import type { AttemptOutcome, SendTarget } from './attempt.js';
import type { DeliverySender } from './delivery-sender.js';
import { BATCH, type DueDelivery } from './due.sql.js';
import type { EndpointLeases, TakenBatch } from './endpoint-leases.js';
import { GONE, MOST_FAILURES } from './endpoint-summary.js';
import type { LeaseHolder, OutcomeWriter } from './outcome-writer.js';
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
export class EndpointDrain implements LeaseHolder, PermitUser {
  private readonly logger = new Logger('Deliveries');
  /** Known with the first deliveries, before the first attempt. */
  owner = '';
  inFlight = 0;
  attempted = 0;
  /** Whether the endpoint's row names this worker, as far as known here. */
  hasLease = false;
  /** More may be due than what is held. */
  isDue = true;
  private isTaking = false;
  /** The last outcomes are being recorded, and the lease ends with them. */
  private isReleasing = false;
  private isStopping = false;
  private target: SendTarget | null = null;
  private queue: DueDelivery[] = [];
  /** In the queue, in progress, or not recorded yet. */
  private readonly held = new Set<string>();
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

  /** Take, send, record, until nothing is due and all is recorded. To be called again where something is due at its end. */
  async run(): Promise<void> {
    while (this.isDue || this.isTaking || this.held.size > 0) {
      if (this.mayTake) void this.take();
      if (this.mayBegin) await this.begin();
      else await this.changed();
    }
    await this.letGo();
  }

  /** More may be due. */
  wake(): void {
    this.isDue = !this.isStopping;
    this.change.resolve();
  }

  /** The endpoint is not what it was: what is not in progress yet is taken anew. */
  reload(): void {
    this.version += 1;
    this.dropQueue();
    this.wake();
  }

  /** Attempts in progress end, and nothing further is begun. */
  stop(): void {
    this.isStopping = true;
    this.dropQueue();
    this.wake();
  }

  mayRelease(outcomes: number): boolean {
    this.isReleasing = !this.isDue && !this.isTaking && this.held.size === outcomes;
    return this.isReleasing;
  }

  /** Not while the lease is given up: another worker may be about to take it. */
  private get mayTake(): boolean {
    const hasRoom = this.queue.length < TAKE_BELOW * this.width;
    return this.isDue && hasRoom && !this.isTaking && !this.isReleasing;
  }

  private get mayBegin(): boolean {
    const isNarrow = this.inFlight < Math.floor(this.width) && this.failures + this.inFlight < MOST_FAILURES;
    return this.queue.length > 0 && isNarrow;
  }

  private async changed(): Promise<void> {
    await this.change.promise;
    this.change = Promise.withResolvers();
  }

  private async take(): Promise<void> {
    const { version } = this;
    this.isTaking = true;
    this.isDue = false;
    try {
      const batch = await this.parts.leases.take(this.endpointId, [...this.held]);
      this.hasLease ||= batch !== null;
      if (batch && version === this.version) this.accept(batch);
    } catch (error) {
      // The next poll looks for it again.
      this.logger.warn(`Deliveries to ${this.endpointId} could not be taken: ${String(error)}`);
    }
    this.isTaking = false;
    this.change.resolve();
  }

  private accept(batch: TakenBatch): void {
    if (this.target === null) this.join(batch);
    this.failures = Math.min(Math.max(this.failures, batch.consecutiveFailures), MOST_FAILURES - 1);
    this.target = batch.target;
    if (this.isStopping) return;
    for (const { id } of batch.deliveries) this.held.add(id);
    this.queue.push(...batch.deliveries);
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

  /** Sends the next delivery once there is a permit for it, unless it is not to be sent any more. */
  private async begin(): Promise<void> {
    await this.parts.permits.acquire(this);
    if (this.mayBegin) void this.send(this.queue.shift()!);
    else this.parts.permits.release(this);
  }

  private async send(delivery: DueDelivery): Promise<void> {
    const { endpointId, parts } = this;
    const { id, number } = delivery;
    this.inFlight += 1;
    this.attempted += 1;
    const message = { id, body: eventBody(delivery) };
    const outcome = await parts.sender.send(this.target!, message, { ...delivery, endpointId });
    this.inFlight -= 1;
    this.learn(outcome);
    parts.permits.release(this);
    this.change.resolve();
    this.recorded(id, await parts.writer.write({ ...outcome, endpointId, deliveryId: id, number }, this));
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

  private recorded(deliveryId: string, released: boolean): void {
    this.held.delete(deliveryId);
    if (released) {
      this.hasLease = false;
      this.isReleasing = false;
    }
    // With all outcomes recorded, the endpoint is disabled by now, unless somebody's test succeeded meanwhile: what it is is asked anew.
    if (this.failures >= MOST_FAILURES && this.held.size === this.queue.length) {
      this.failures = 0;
      this.reload();
    }
    this.change.resolve();
  }

  private dropQueue(): void {
    for (const { id } of this.queue) this.held.delete(id);
    this.queue = [];
  }

  private async letGo(): Promise<void> {
    if (this.target !== null) this.parts.permits.leave(this);
    this.target = null;
    if (!this.hasLease) return;
    this.hasLease = false;
    await this.parts.leases.release(this.endpointId).catch((error: unknown) => {
      this.logger.warn(`${this.endpointId} could not be let go of: ${String(error)}`);
    });
  }
}
