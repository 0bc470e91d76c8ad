import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { errorText } from '../core/errors/index.js';
import { type DispatchedEvent, EventConsumers } from '../core/outbox/index.js';
import {
  Drain,
  InstanceHeartbeat,
  LeaseClock,
  LeasedWork,
  Loop,
  RENEW_EVERY_MS,
  Waker,
} from '../core/work/index.js';
import { EventHandlers } from './event-handlers.js';
import { EventHandlingService } from './event-handling.service.js';
import { EventHandlingWork } from './event-handling-work.js';
import { EventHandlingsRepository } from './event-handlings.repository.js';
import type { ClaimedHandling } from './event-handlings.sql.js';

/** Wakes whoever calls handlers. */
const HANDLINGS = 'handlings';

const LOOK_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 5_000;
/** So many events one handler has in progress here at once. */
const PLACES = 4;
const STOP_MS = 5_000;

type Lane = LeasedWork<ClaimedHandling, EventHandlingWork, { id: string }>;

/**
 * Has handlers called for events, in every process. Dispatching an event only queues it, and each handler has a queue and places
 * of its own: what one does delays no delivery, no trigger and no other handler.
 */
@Injectable()
export class EventHandlingDispatcher implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger('Handlers');
  private lanes: readonly Lane[] = [];

  constructor(
    private readonly handlers: EventHandlers,
    private readonly handlings: EventHandlingsRepository,
    private readonly service: EventHandlingService,
    private readonly consumers: EventConsumers,
    private readonly instance: InstanceHeartbeat,
    private readonly clock: LeaseClock,
    private readonly waker: Waker,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.consumers.register('handlers', (events) => this.queue(events));
  }

  onApplicationBootstrap(): void {
    this.lanes = this.handlers.names().map((name) => this.laneOf(name));
  }

  @Loop({
    every: LOOK_EVERY_MS,
    wake: HANDLINGS,
    hasRoom: (self: EventHandlingDispatcher) => self.hasRoom,
    settled: (self: EventHandlingDispatcher) => self.settled(),
    reachesOut: true,
  })
  async take(): Promise<boolean> {
    const free = this.lanes.filter(({ hasRoom }) => hasRoom);
    const taken = await Promise.all(free.map((lane) => lane.take()));
    return taken.some(({ again }) => again);
  }

  @Loop({ every: RENEW_EVERY_MS, atStart: false, stage: 'holding' })
  async renew(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.renew((claims) => this.handlings.renew(claims))));
  }

  /** Sees to it that none waits for ever for a process that is no more. */
  @Loop({ every: SWEEP_EVERY_MS, hasRoom: (self: EventHandlingDispatcher) => self.lanes.length > 0 })
  async sweep(): Promise<void> {
    await this.clock.tick();
    if ((await this.handlings.release()) > 0) this.waker.wake(HANDLINGS);
  }

  /** What does not end soon after the process was told to stop is left to others, or to later. */
  @Drain()
  async finish(): Promise<void> {
    const stop = (): void => this.lanes.flatMap((lane) => lane.all()).forEach((work) => work.stop());
    const hurry = setTimeout(stop, STOP_MS);
    await Promise.all(this.lanes.map((lane) => lane.close()));
    clearTimeout(hurry);
  }

  private get hasRoom(): boolean {
    return this.lanes.some(({ hasRoom }) => hasRoom);
  }

  private async settled(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.settled()));
  }

  private laneOf(handler: string): Lane {
    return new LeasedWork({
      places: PLACES,
      share: this.settings.workspaceShare,
      claim: (free) => this.handlings.claim(this.instance.id, free, handler),
      begin: (claim) => new EventHandlingWork((stop) => this.service.handle(claim, stop)),
      onRoom: () => this.waker.look(HANDLINGS),
      // What cannot be noted down now is tried again when the lease is over.
      onError: ({ eventId }, error) =>
        this.logger.warn(`The event ${eventId} has to wait for the handler ${handler}: ${errorText(error)}`),
    });
  }

  private async queue(events: readonly DispatchedEvent[]): Promise<void> {
    const wanted = events.flatMap(({ id: eventId, workspaceId, type }) =>
      this.handlers.wanting(type).map((handler) => ({ eventId, workspaceId, handler })),
    );
    if (wanted.length === 0) return;
    await this.handlings.add(wanted);
    this.waker.wake(HANDLINGS);
  }
}
