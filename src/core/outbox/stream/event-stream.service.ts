import { Injectable } from '@nestjs/common';

import type { LiveResponse, WorkspaceCaller } from '../../access/index.js';
import { instantOf, isId, newId } from '../../crypto/index.js';
import { Forbidden, InvalidRequest } from '../../errors/index.js';
import { Lifecycle } from '../../lifecycle/index.js';
import { eventBody } from '../event-body.js';
import { EventsRepository } from '../events.repository.js';
import { EventFeed } from './event-feed.js';
import type { EventFollower, FollowedItem } from './event-follower.js';
import { EventVisibility } from './event-visibility.js';
import type { StreamedEvent } from './streamed-events.sql.js';

/** Often enough that proxies keep the connection. */
const HEARTBEAT_MS = 10_000;
/** Whoever was away for longer, or missed more, reads everything again. */
const LONGEST_AWAY_MS = 3_600_000;
const MOST_MISSED = 1_000;

/** A workspace's events as server-sent events. */
@Injectable()
export class EventStreamService {
  constructor(
    private readonly feed: EventFeed,
    private readonly visibility: EventVisibility,
    private readonly repository: EventsRepository,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * @param lastEventId what the stream gave last before it broke, if anything
   * @throws Forbidden where the credential sees no event of any type
   */
  assertMayFollow(caller: WorkspaceCaller, lastEventId: string | undefined): void {
    if (!this.visibility.seesAny(caller)) {
      throw new Forbidden(
        'The credential was granted no scope that events can be followed with, such as runs:read.',
      );
    }
    if (lastEventId !== undefined && lastEventId !== '' && !isId('event', lastEventId)) {
      throw InvalidRequest.at('last-event-id', 'is not an id that this stream has given');
    }
  }

  /** From now on, or after `lastEventId`, until the response ends. */
  async *events(
    caller: WorkspaceCaller,
    lastEventId: string | undefined,
    live: LiveResponse,
  ): AsyncGenerator<string> {
    const ended = AbortSignal.any([this.lifecycle.stopping, live.ended]);
    const follower = this.feed.follow(caller, () => live.close());
    try {
      // An id without an event: a stream that breaks before the first one is resumed from here.
      yield lastEventId ? 'retry: 1000\n\n' : `retry: 1000\nid: ${newId('event')}\n\n`;
      const earlier = lastEventId ? await this.since(caller, lastEventId) : [];
      if (earlier.length > 0) yield earlier.map(written).join('');
      const sent = new Set(earlier.map((item) => (item === 'reset' ? item : item.eventId)));
      yield* this.following(follower, sent, ended);
    } finally {
      follower.close();
    }
  }

  private async *following(
    follower: EventFollower,
    sent: ReadonlySet<string>,
    ended: AbortSignal,
  ): AsyncGenerator<string> {
    while (!ended.aborted) {
      const items = await follower.take(HEARTBEAT_MS, ended);
      const news = items.filter((item) => item === 'reset' || !sent.has(item.eventId));
      if (follower.isOver || !ended.aborted)
        yield news.length > 0 ? news.map(written).join('') : ': still here\n\n';
      if (follower.isOver) return;
    }
  }

  /** What was missed of what the caller may see; a reset where that is too much. */
  private async since(caller: WorkspaceCaller, lastEventId: string): Promise<FollowedItem[]> {
    const at = instantOf(lastEventId);
    if (Date.now() - at.getTime() > LONGEST_AWAY_MS) return ['reset'];
    const events = await this.repository.since(caller.workspace.id, lastEventId, at, MOST_MISSED + 1);
    if (events.length > MOST_MISSED) return ['reset'];
    const [seen] = await this.visibility.select([caller], events);
    return seen!;
  }
}

function written(item: FollowedItem): string {
  if (item === 'reset') return block('reset', newId('event'), '{}');
  return block(item.eventType, item.eventId, eventBody(item));
}

function block(name: StreamedEvent['eventType'], id: string, data: string): string {
  return `event: ${name}\nid: ${id}\ndata: ${data}\n\n`;
}
