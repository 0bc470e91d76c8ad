import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import type { AlertRule } from '../alert-rule.entity.js';
import { AlertRulesRepository } from '../alert-rules.repository.js';
import type { AlertMessage } from './alert-message.entity.js';
import { AlertMessagesRepository } from './alert-messages.repository.js';
import { quietUntil } from './quiet-hours.js';

/** So many attempts of a workspace within a minute, whatever its rules say. */
const MOST_A_MINUTE = 20;
const POSTPONE_SECONDS = 5;
/** Longer than an attempt may take. */
const LEASE_SECONDS = 60;

export interface ClaimedMessage {
  rule: AlertRule;
  /** `attempts` counts the one that it was claimed for. */
  message: AlertMessage;
}

/** Who may send a message now: one process, when its rule, its window and the limit of its workspace allow it. */
@Injectable()
export class AlertClaimsService {
  constructor(
    private readonly rules: AlertRulesRepository,
    private readonly messages: AlertMessagesRepository,
    private readonly database: Database,
  ) {}

  /**
   * null: not now. A process that dies meanwhile leaves the message to be sent once its window is over, so that it does not come
   * twice within it.
   */
  claim(id: string, ruleId: string): Promise<ClaimedMessage | null> {
    return this.database.transaction(async () => {
      const rule = await this.rules.take(ruleId);
      const message = rule && (await this.messages.stillDue(id));
      if (!message || !(await this.hasTurn(rule, message))) return null;
      const { groupSeconds } = rule;
      await this.messages.begin(message, Math.max(LEASE_SECONDS, groupSeconds));
      if (hasRuleWindow(message)) {
        await this.rules.note(ruleId, { nextMessageAt: new Date(Date.now() + groupSeconds * 1000) });
      }
      return { rule, message: { ...message, attempts: message.attempts + 1 } };
    });
  }

  /** An attempt that failed has told nobody: the window ends when the next one is due. */
  failed({ rule, message }: ClaimedMessage, error: string, seconds: number | null): Promise<void> {
    return this.database.transaction(async () => {
      await this.messages.failed(message.id, message.attempts, error, seconds);
      if (seconds === null || !hasRuleWindow(message)) return;
      await this.rules.note(rule.id, { nextMessageAt: new Date(Date.now() + seconds * 1000) });
    });
  }

  private async hasTurn(rule: AlertRule, message: AlertMessage): Promise<boolean> {
    const now = new Date();
    const windowEnd = await this.windowEnd(rule, message);
    const earliest = windowEnd > now ? windowEnd : now;
    const dueAt = message.test ? now : quietUntil(earliest, rule.quietHours);
    if (dueAt > now) {
      await this.messages.update(message.id, { dueAt });
      return false;
    }
    if ((await this.messages.attemptedLately(rule.workspaceId)) < MOST_A_MINUTE) return true;
    await this.messages.postpone([message.id], POSTPONE_SECONDS);
    return false;
  }

  /** No message of an incident overtakes the one before: what comes last decides. */
  private async windowEnd(rule: AlertRule, message: AlertMessage): Promise<Date> {
    if (message.incident === '') return rule.nextMessageAt;
    const previous = message.attempts === 0 ? await this.messages.previous(message) : null;
    if (!previous?.attemptedAt) return message.dueAt;
    const end = new Date(previous.attemptedAt.getTime() + rule.groupSeconds * 1000);
    if (previous.status !== 'sending') return end;
    return new Date(Math.max(end.getTime(), Date.now() + POSTPONE_SECONDS * 1000));
  }
}

/** Each incident has a window of its own, and a test has none. */
const hasRuleWindow = ({ test, incident }: AlertMessage): boolean => !test && incident === '';
