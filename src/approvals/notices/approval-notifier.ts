import { Injectable, Logger } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { failureOf } from '../../core/extension-calls/index.js';
import { inTime, TimeIsOver } from '../../core/time-limit/index.js';
import { Drain, Loop, MESSAGE_ATTEMPTS, secondsUntilRetry, Waker } from '../../core/work/index.js';
import {
  type ApprovalNotice,
  NotificationChannels,
  type NotifiedRequest,
} from '../../notifications/index.js';
import { approveUrl } from '../approval.presenter.js';
import { NOTICES } from './approval-notice-queue.js';
import {
  ApprovalNoticesRepository,
  type ClaimedNotice,
  type RequestRow,
} from './approval-notices.repository.js';

const LOOK_EVERY_MS = 2_000;
const LONGEST_MS = 15_000;
/** Longer than telling may take, so that no two processes tell of the same at once. */
const LEASE_SECONDS = 60;
/** How many notices of one channel are in progress here at once. */
const PLACES = 4;
const STOP_MS = 5_000;

/**
 * Has channels tell people, in every process, with no transaction held meanwhile. A channel has places of its own, so that
 * one that hangs is in no other's way. At least once: a process that dies between a channel's end and its own note of it
 * leaves the notice to be told again.
 */
@Injectable()
export class ApprovalNotifier {
  private readonly logger = new Logger('Notices');
  private readonly underWay = new Map<Promise<void>, string>();
  private readonly stop = new AbortController();

  constructor(
    private readonly channels: NotificationChannels,
    private readonly notices: ApprovalNoticesRepository,
    private readonly settings: Settings,
    private readonly waker: Waker,
  ) {}

  /** Begins what there is room for, and comes again when some of it has ended. */
  @Loop({ every: LOOK_EVERY_MS, wake: NOTICES, reachesOut: true })
  async pass(): Promise<boolean> {
    const rooms = this.rooms();
    if (rooms.size === 0) return false;
    const claimed = await this.notices.claim(rooms, LEASE_SECONDS);
    for (const notice of claimed) this.begin(notice);
    return claimed.length > 0;
  }

  /** What does not end soon after the process was told to stop is left to others, or to later. */
  @Drain()
  async finish(): Promise<void> {
    const hurry = setTimeout(
      () => this.stop.abort(new TimeIsOver('The process stopped meanwhile.')),
      STOP_MS,
    );
    await Promise.all(this.underWay.keys());
    clearTimeout(hurry);
  }

  private rooms(): Map<string, number> {
    const busy = [...this.underWay.values()];
    const rooms = this.channels.names().map((name): [string, number] => {
      return [name, PLACES - busy.filter((channel) => channel === name).length];
    });
    return new Map(rooms.filter(([, room]) => room > 0));
  }

  private begin(notice: ClaimedNotice): void {
    // What cannot be read or noted down now is tried again when the lease is over.
    const ended = this.tell(notice)
      .catch((error: unknown) => this.logger.warn(`The notice ${notice.id} has to wait: ${String(error)}`))
      .finally(() => {
        this.underWay.delete(ended);
        this.waker.look(NOTICES);
      });
    this.underWay.set(ended, notice.channel);
  }

  private async tell(claimed: ClaimedNotice): Promise<void> {
    const channel = this.channels.find(claimed.channel)!;
    const notice = await this.read(claimed);
    if (notice) {
      const limit = { ms: LONGEST_MS, stop: this.stop.signal };
      try {
        await inTime(limit, (signal) => channel.notify!(notice, { signal }));
      } catch (error) {
        return this.failed(claimed, error);
      }
    }
    await this.notices.delete(claimed.id);
  }

  /** null: there is nothing to tell any more. */
  private async read(claimed: ClaimedNotice): Promise<ApprovalNotice | null> {
    const pending = await this.notices.pending(claimed);
    if (!pending) return null;
    const people = await this.notices.people(claimed);
    const { workspaceId: id, slug, name, count } = pending;
    const ids = new Set([pending, ...people].flatMap((told) => told.ids));
    const known = await this.notices.requests([...ids]);
    const requestsOf = (told: { ids: string[] }): NotifiedRequest[] =>
      told.ids.flatMap((requestId) => known.get(requestId) ?? []).map(this.linked);
    return {
      id: claimed.id,
      workspace: { id, slug, name },
      count,
      requests: requestsOf(pending),
      people: people.map((person) => ({
        email: person.email,
        name: person.name,
        count: person.count,
        requests: requestsOf(person),
      })),
      listUrl: `${this.settings.baseUrl}/approvals`,
    };
  }

  private readonly linked = (request: RequestRow): NotifiedRequest => {
    const page = approveUrl(this.settings.baseUrl, request.id);
    return { ...request, approveUrl: page, denyUrl: `${page}?decision=deny` };
  };

  private async failed(notice: ClaimedNotice, error: unknown): Promise<void> {
    const { id, channel, attempts } = notice;
    const seconds = secondsUntilRetry(attempts);
    const tries = `attempt ${attempts} of ${MESSAGE_ATTEMPTS}`;
    if (seconds === null) {
      this.logger.error(`The channel ${channel} gives up the notice ${id} (${tries}): ${failureOf(error)}`);
      return this.notices.delete(id);
    }
    const next = `the next in ${seconds} s`;
    this.logger.warn(
      `The channel ${channel} could not tell of ${id} (${tries}, ${next}): ${failureOf(error)}`,
    );
    await this.notices.retryIn(seconds, notice);
  }
}
