import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../../crypto/index.js';
import { Database } from '../../database/index.js';
import { FIND, SINCE, type StreamedEvent } from './streamed-events.sql.js';

/** For how long before its own moment an event may be dispatched after those that were made later. */
const LATE_MS = 60_000;

@Injectable()
export class StreamedEventsRepository {
  constructor(private readonly database: Database) {}

  /** In the order of the ids. */
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
