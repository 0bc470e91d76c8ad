import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Database, inSeconds } from '../database/index.js';
import type { DispatchedEvent } from './event-consumers.js';
import { CLAIM } from './events.sql.js';
import { OutboxEvent } from './outbox-event.entity.js';

@Injectable()
export class EventDispatchRepository {
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
}
