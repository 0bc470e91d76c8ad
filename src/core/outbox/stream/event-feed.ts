import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';

import type { WorkspaceCaller } from '../../access/index.js';
import { Notifications } from '../../database/index.js';
import { type DispatchedEvent, EventConsumers } from '../event-consumers.js';
import { EventsRepository } from '../events.repository.js';
import { EventFollower } from './event-follower.js';
import { EventVisibility } from './event-visibility.js';

/** Notifications: a workspace's id and those of events, separated by blanks. */
const TOPIC = 'events';
/** As many ids as fit into one. */
const IDS_PER_NOTIFICATION = 200;
/** Events that are read and judged at a time. */
const BATCH = 500;

/**
 * Gives the streams of this process the events that any process dispatches. The transaction that marks events as
 * dispatched announces them. They are read once for all streams, and sorted out by one statement for each kind of
 * thing.
 */
@Injectable()
export class EventFeed implements OnModuleInit {
  private readonly logger = new Logger('Events');
  private readonly followers = new Map<string, Set<EventFollower>>();
  private announced: { workspaceId: string; id: string }[] = [];
  private delivering = false;

  constructor(
    private readonly notifications: Notifications,
    private readonly consumers: EventConsumers,
    private readonly events: EventsRepository,
    private readonly visibility: EventVisibility,
  ) {}

  onModuleInit(): void {
    this.consumers.register('streams', (events) => this.announce(events));
    this.notifications.onAny(TOPIC, (text) => this.receive(text));
    this.notifications.onGap(() => this.reset([...this.followers.keys()]));
  }

  /** Follows a workspace's events from now on; to be closed in the end. `cutOff` is called where too much waits. */
  follow(caller: WorkspaceCaller, cutOff: () => void): EventFollower {
    const workspaceId = caller.workspace.id;
    const follower = new EventFollower(caller, cutOff, (gone) => {
      const rest = this.followers.get(workspaceId);
      rest?.delete(gone);
      if (rest?.size === 0) this.followers.delete(workspaceId);
    });
    const followers = this.followers.get(workspaceId) ?? new Set();
    this.followers.set(workspaceId, followers.add(follower));
    return follower;
  }

  private async announce(events: readonly DispatchedEvent[]): Promise<void> {
    const texts = [...new Set(events.map(({ workspaceId }) => workspaceId))].flatMap((workspaceId) => {
      const ids = events.filter((event) => event.workspaceId === workspaceId).map(({ id }) => id);
      return inParts(ids, IDS_PER_NOTIFICATION).map((part) => [workspaceId, ...part].join(' '));
    });
    await this.notifications.notifyMany(TOPIC, texts);
  }

  private receive(text: string): void {
    const [workspaceId, ...ids] = text.split(' ') as [string, ...string[]];
    if (!this.followers.has(workspaceId)) return;
    for (const id of ids) this.announced.push({ workspaceId, id });
    if (!this.delivering) void this.deliverAll();
  }

  private async deliverAll(): Promise<void> {
    this.delivering = true;
    while (this.announced.length > 0) {
      const batch = this.announced.splice(0, BATCH);
      await this.deliver(batch.map(({ id }) => id)).catch((error: unknown) => {
        this.logger.warn(`Events could not be read for streams, which begin anew: ${String(error)}`);
        this.reset(batch.map(({ workspaceId }) => workspaceId));
      });
    }
    this.delivering = false;
  }

  private async deliver(ids: readonly string[]): Promise<void> {
    const events = await this.events.find(ids);
    const followers = [...new Set(events.map(({ workspaceId }) => workspaceId))].flatMap((workspaceId) => [
      ...(this.followers.get(workspaceId) ?? []),
    ]);
    const seen = await this.visibility.select(
      followers.map(({ caller }) => caller),
      events,
    );
    for (const [place, follower] of followers.entries())
      for (const event of seen[place]!) follower.push(event);
  }

  private reset(workspaceIds: readonly string[]): void {
    for (const workspaceId of new Set(workspaceIds)) {
      for (const follower of this.followers.get(workspaceId) ?? []) follower.reset();
    }
  }
}

function inParts<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}
