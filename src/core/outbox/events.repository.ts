import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { firstIdAt } from '../crypto/index.js';
import { Database, inSeconds } from '../database/index.js';
import type { DispatchedEvent } from './event-consumers.js';
import { CLAIM } from './events.sql.js';
import { OutboxEvent } from './outbox-event.entity.js';
import { FIND, SINCE, type StreamedEvent } from './stream/streamed-events.sql.js';

/** For how long before its own moment an event may be dispatched after those that were made later. */
const LATE_MS = 60_000;

@Injectable()
export class EventsRepository {
  constructor(
    @InjectRepository(OutboxEvent) private readonly events: Repository<OutboxEvent>,
    private readonly database: Database,
  ) {}

  /**
   * Marks the next events as dispatched and returns them in their order; all workspaces that have any have their part of
   * them. Other processes skip them until the surrounding transaction ends; if it rolls back, they are waiting again.
   *
   * @returns `more`: a workspace has its part, and may have more
   */
  async claim(count: number): Promise<{ events: DispatchedEvent[]; more: boolean }> {
    const rows = await this.database.query<DispatchedEvent & { most: number }>(CLAIM, [count]);
    const left = new Map(rows.map(({ workspaceId, most }) => [workspaceId, most]));
    for (const { workspaceId } of rows) left.set(workspaceId, left.get(workspaceId)! - 1);
    const events = rows.sort((one, other) => (one.id < other.id ? -1 : 1));
    return { events, more: [...left.values()].includes(0) };
  }

  /** Marks an event as waiting again, but not before some seconds have passed. */
  async postpone(id: string, seconds: number): Promise<void> {
    await this.events.update({ id }, { dispatchedAt: null, dispatchAfter: inSeconds(seconds) });
  }

  /** As a stream tells them, in the order of the ids. */
  async find(ids: readonly string[]): Promise<StreamedEvent[]> {
    const events = await this.database.query<StreamedEvent>(FIND, [ids]);
    const places = new Map(ids.map((id, place) => [id, place]));
    return events.sort((one, other) => places.get(one.eventId)! - places.get(other.eventId)!);
  }

  /**
   * What was dispatched after an event, by id. What was dispatched within the five seconds before it is among it:
   * two processes may announce events in another order than they dispatched them.
   *
   * @param at when the event of that id was made; it need not exist
   */
  since(workspaceId: string, id: string, at: Date, most: number): Promise<StreamedEvent[]> {
    const firstId = firstIdAt('event', new Date(at.getTime() - LATE_MS));
    return this.database.query<StreamedEvent>(SINCE, [workspaceId, id, firstId, most]);
  }
}
