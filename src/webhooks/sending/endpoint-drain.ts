import { eventBody } from '../../core/outbox/index.js';
import type { AttemptOutcome, Message, SendTarget } from './attempt.js';
import type { DeliverySender } from './delivery-sender.js';
import type { DueBatch } from './due.repository.js';
import { BATCH, type DueDelivery } from './due.sql.js';
import {
  type DrainEvent,
  type DrainState,
  after,
  isOver,
  isStopping,
  mayEnd,
  mayRelease,
} from './endpoint-drain.state.js';
import { GONE, MOST_FAILURES } from './endpoint-summary.js';
import type { OutcomeOwner, OutcomeWriter } from './outcome-writer.js';
import type { SendSlots, SlotUser } from './send-slots.js';

/** Attempts at one endpoint that may be under way at a time. */
export const WIDEST = 16;
/** Endpoints of one owner that are sent to at a time: more than there are attempts, and half of those of all. */
export const MOST_OF_AN_OWNER = 500;
/** To begin with, and after a failure: an endpoint that does not answer keeps few connections busy. */
const NARROW = 4;
/**
 * The next batch is fetched while so many of the last one are still to be sent, for each attempt that may be under way: where
 * nothing moves, an event more is no reason to ask again.
 */
const FETCH_BELOW = 4;

export interface DrainParts {
  sender: DeliverySender;
  writer: OutcomeWriter;
  slots: SendSlots;
  /** null: nothing is due, or the endpoint is not ours. */
  take(endpointId: string, held: readonly string[]): Promise<DueBatch | null>;
  keysOf(endpointId: string, batch: DueBatch): Buffer[];
  release(endpointId: string): Promise<void>;
  warn(message: string): void;
}

/**
 * Sends what is due at one endpoint until nothing is: batch by batch, several at a time, the next batch being fetched while
 * the last one is sent. The database is neither waited for with a connection open, nor the other way round.
 */
export class EndpointDrain implements OutcomeOwner, SlotUser {
  /** How many were attempted, once all is written. */
  readonly done: Promise<number>;
  /** Known with the first batch, before the first attempt. */
  owner = '';
  inFlight = 0;
  private target: SendTarget | null = null;
  private queue: DueDelivery[] = [];
  /** In the queue, under way, or not written yet. */
  private readonly held = new Set<string>();
  private width = NARROW;
  /** In a row, as far as known here: no attempt is begun that could be one too many. */
  private failures = 0;
  private attempted = 0;
  /** Changes whenever the endpoint does, so that what was fetched just before is not used. */
  private version = 0;
  private state: DrainState = 'due';
  /** Whether the endpoint's row names this worker, as far as known here. */
  private leased = false;
  private resolve!: (attempted: number) => void;

  constructor(
    readonly endpointId: string,
    private readonly parts: DrainParts,
  ) {
    this.done = new Promise((resolve) => (this.resolve = resolve));
  }

  begin(): void {
    this.pump();
  }

  /** More may be due. */
  wake(): void {
    this.follow('woken');
    this.pump();
  }

  /** The endpoint is not what it was: what is not under way yet is fetched anew. */
  reload(): void {
    this.version += 1;
    for (const { id } of this.queue) this.held.delete(id);
    this.queue = [];
    this.wake();
  }

  /** Attempts under way end, and nothing further is begun. */
  stop(): void {
    this.follow('stop');
    for (const { id } of this.queue) this.held.delete(id);
    this.queue = [];
    this.pump();
  }

  get hasLease(): boolean {
    return this.leased;
  }

  onSlot(): void {
    this.pump();
  }

  /** Whether `wake` came too late for this drain. */
  get isWantedAgain(): boolean {
    return this.state === 'ended_again';
  }

  mayRelease(deliveries: number): boolean {
    const may = this.held.size === deliveries && mayRelease(this.state);
    if (may) this.follow('release');
    return may;
  }

  written(deliveryIds: readonly string[], released: boolean): void {
    for (const id of deliveryIds) this.held.delete(id);
    if (released) {
      this.follow('written');
      this.leased = false;
    }
    // With all outcomes written, the endpoint is disabled by now, unless somebody's test succeeded meanwhile: what it is is asked anew.
    if (this.failures >= MOST_FAILURES && this.held.size === this.queue.length) {
      this.failures = 0;
      this.reload();
    } else {
      this.pump();
    }
  }

  private pump(): void {
    if (isOver(this.state)) return;
    while (this.queue.length > 0 && this.mayBegin && this.parts.slots.take(this)) {
      this.send(this.queue.shift()!);
    }
    if (this.state === 'due' && this.queue.length < FETCH_BELOW * this.width) void this.fetch();
    if (this.held.size === 0 && mayEnd(this.state)) void this.end();
  }

  private follow(event: DrainEvent): void {
    this.state = after(this.state, event);
  }

  private get mayBegin(): boolean {
    return this.inFlight < Math.floor(this.width) && this.failures + this.inFlight < MOST_FAILURES;
  }

  private async fetch(): Promise<void> {
    const { version } = this;
    let fetched: DrainEvent = 'fetched_all';
    this.follow('fetch');
    try {
      const batch = await this.parts.take(this.endpointId, [...this.held]);
      this.leased ||= batch !== null;
      if (batch && version === this.version) {
        this.accept(batch);
        if (batch.deliveries.length === BATCH) fetched = 'fetched_part';
      }
    } catch (error) {
      // Looked for again by the clock.
      this.parts.warn(`Deliveries to ${this.endpointId} could not be fetched: ${String(error)}`);
    }
    this.follow(fetched);
    this.pump();
  }

  private accept(batch: DueBatch): void {
    const keys = this.parts.keysOf(this.endpointId, batch);
    if (this.target === null) this.join(batch);
    this.failures = Math.min(Math.max(this.failures, batch.consecutiveFailures), MOST_FAILURES - 1);
    this.target = { url: batch.url, keys };
    if (isStopping(this.state)) return;
    for (const delivery of batch.deliveries) {
      this.held.add(delivery.id);
      this.queue.push(delivery);
    }
  }

  /** Where its owner has too many already, it ends here and is looked for again by the clock. */
  private join({ owner, consecutiveFailures }: DueBatch): void {
    const { slots } = this.parts;
    if (consecutiveFailures > 0) this.width = 1;
    this.owner = owner;
    if (slots.usersOf(owner) >= MOST_OF_AN_OWNER) this.stop();
    slots.join(this);
  }

  private send(delivery: DueDelivery): void {
    this.inFlight += 1;
    this.attempted += 1;
    const message: Message = { id: delivery.id, body: eventBody(delivery) };
    const { endpointId } = this;
    void this.parts.sender.send(this.target!, message, { ...delivery, endpointId }).then((outcome) => {
      this.inFlight -= 1;
      this.failures = this.failuresAfter(outcome);
      this.adapt(outcome.ok);
      void this.parts.writer.write(
        { ...outcome, endpointId, deliveryId: delivery.id, number: delivery.number },
        this,
      );
      this.pump();
      this.parts.slots.give(this);
    });
  }

  /** One that is gone gets nothing further, as if it had failed too often. */
  private failuresAfter({ ok, status }: AttemptOutcome): number {
    if (status === GONE || this.failures >= MOST_FAILURES) return MOST_FAILURES;
    return ok ? 0 : this.failures + 1;
  }

  /** By one for as many successes as it is wide: a connection more has to be worth its making. By half for a failure. */
  private adapt(ok: boolean): void {
    this.width = ok ? Math.min(WIDEST, this.width + 1 / this.width) : Math.max(1, this.width / 2);
  }

  private async end(): Promise<void> {
    this.follow('end');
    if (this.target !== null) this.parts.slots.leave(this);
    if (this.leased) {
      await this.parts.release(this.endpointId).catch((error: unknown) => {
        this.parts.warn(`${this.endpointId} could not be let go of: ${String(error)}`);
      });
    }
    this.resolve(this.attempted);
  }
}
