import { Injectable, Logger } from '@nestjs/common';

import { failureOf } from '../../core/extension-calls/index.js';
import { Unavailable } from '../../core/errors/index.js';
import { inTime, TimeIsOver } from '../../core/time-limit/index.js';
import { Drain, Loop, MESSAGE_ATTEMPTS, secondsUntilRetry, Waker } from '../../core/work/index.js';
import { NotificationChannels } from '../../notifications/index.js';
import { AlertClaimsService, type ClaimedMessage } from './alert-claims.service.js';
import { AlertMessagesRepository } from './alert-messages.repository.js';
import { AlertNoticeReader } from './alert-notice-reader.js';
import { ALERTS } from './alert-queue.js';

const LOOK_EVERY_MS = 2_000;
const LONGEST_MS = 15_000;
const DUE = 500;
/** How many are in progress here at once, and how many of them of one workspace. */
const PLACES = 16;
const PLACES_OF_ONE = 4;
const STOP_MS = 5_000;

/** Sends what is due, in every process, with no transaction held meanwhile. */
@Injectable()
export class AlertSender {
  private readonly logger = new Logger('Alerts');
  /** With the workspaces that they are of. */
  private readonly underWay = new Map<Promise<void>, string>();
  private readonly stop = new AbortController();

  constructor(
    private readonly claims: AlertClaimsService,
    private readonly messages: AlertMessagesRepository,
    private readonly reader: AlertNoticeReader,
    private readonly channels: NotificationChannels,
    private readonly waker: Waker,
  ) {}

  @Loop({ every: LOOK_EVERY_MS, wake: ALERTS, reachesOut: true })
  async pass(): Promise<boolean> {
    let begun = false;
    for (const { id, ruleId, workspaceId } of await this.messages.due(DUE)) {
      if (this.underWay.size >= PLACES) break;
      const ofOne = [...this.underWay.values()].filter((workspace) => workspace === workspaceId).length;
      const claimed = ofOne < PLACES_OF_ONE ? await this.claims.claim(id, ruleId) : null;
      if (claimed) this.begin(claimed);
      begun ||= claimed !== null;
    }
    return begun;
  }

  /** What does not end soon after the process was told to stop is left to others, or to later. */
  @Drain()
  async finish(): Promise<void> {
    const late = (): void => this.stop.abort(new TimeIsOver('The process stopped meanwhile.'));
    const hurry = setTimeout(late, STOP_MS);
    await Promise.all(this.underWay.keys());
    clearTimeout(hurry);
  }

  private begin(claimed: ClaimedMessage): void {
    const ended = this.send(claimed)
      .catch((error: unknown) =>
        this.logger.warn(`The alert ${claimed.message.id} has to wait: ${failureOf(error)}`),
      )
      .finally(() => {
        this.underWay.delete(ended);
        this.waker.look(ALERTS);
      });
    this.underWay.set(ended, claimed.rule.workspaceId);
  }

  private async send(claimed: ClaimedMessage): Promise<void> {
    const { rule, message } = claimed;
    const notice = await this.reader.notice(rule, message);
    if (!notice) return this.claims.failed(claimed, 'The workspace was deleted.', null);
    try {
      const channel = this.channels.find(rule.channel);
      if (!channel?.alert) throw new Unavailable(`This service has no channel ${rule.channel} any more.`);
      const url = await this.reader.url(rule);
      const to = channel.alertsTo === 'people' ? await this.reader.recipients(rule) : [];
      const limit = { ms: LONGEST_MS, stop: this.stop.signal };
      await inTime(limit, (signal) => channel.alert!(notice, { url, to, signal }));
    } catch (error) {
      return this.failed(claimed, failureOf(error));
    }
    await this.messages.sent(message.id, message.attempts);
  }

  private async failed(claimed: ClaimedMessage, reason: string): Promise<void> {
    const { id, attempts, test } = claimed.message;
    const seconds = test ? null : secondsUntilRetry(attempts);
    const next = seconds === null ? 'given up' : `the next in ${seconds} s`;
    this.logger.warn(
      `The alert ${id} was not taken (attempt ${attempts} of ${MESSAGE_ATTEMPTS}, ${next}): ${reason}`,
    );
    await this.claims.failed(claimed, reason, seconds);
  }
}
