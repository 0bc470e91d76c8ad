import { once } from 'node:events';

import { Logger } from '@nestjs/common';

import { cutText } from '../../../libs/cut-text/index.js';
import type { HeldRequest, Refusal } from '../../../libs/egress/index.js';
import { isDatabaseAway, type Notifications } from '../../core/database/index.js';
import { QUESTION_TOPIC } from '../run.topics.js';
import { notApproved } from './question-refusals.js';
import type { QuestionsService } from './questions.service.js';
import type { QuestionedRun } from './questioned-run.js';
import { QUESTION_MINUTES } from './request-send.input.js';
import type { Masking } from './shown-request.js';
import { WaitingClock } from './waiting-clock.js';

/** A notification may be lost. */
const LOOK_EVERY_MS = 2_000;
/** Where the database is away: nothing waits for longer. */
const LONGEST_MS = (QUESTION_MINUTES + 1) * 60_000;
const MOST_SHOWN = 200;

interface RunQuestionsParts {
  questions: QuestionsService;
  notifications: Notifications;
  /** Masks the run's secrets in a text. */
  masker: Masking;
  /** Writes a line of the run's log. */
  log(line: string): void;
  /** While it is held, the time of the script does not pass. */
  holdClock(held: boolean): void;
}

/** Asks people about the requests of one run that its gate holds. */
export class RunQuestions {
  private readonly logger = new Logger(RunQuestions.name);
  private readonly clock: WaitingClock;
  private full: Refusal | null = null;

  constructor(
    private readonly run: QuestionedRun,
    private readonly parts: RunQuestionsParts,
  ) {
    this.clock = new WaitingClock((held) => parts.holdClock(held));
  }

  /** null: it may be sent. Whatever goes wrong, it is not. */
  async ask(request: HeldRequest, gone: AbortSignal): Promise<Refusal | null> {
    const goOn = this.clock.begin();
    try {
      return await this.decide(request, gone);
    } catch (error) {
      const { id: runId, workspaceId } = this.run;
      this.logger.error(this.parts.masker.maskLine(String(error)), { runId, workspaceId });
      return notApproved('nobody could be asked');
    } finally {
      goOn();
    }
  }

  private async decide(request: HeldRequest, gone: AbortSignal): Promise<Refusal | null> {
    const { questions, masker, log } = this.parts;
    if (this.full) return this.full;
    const asked = await questions.file(this.run, request, masker);
    if ('refusal' in asked) {
      if (asked.isFull) this.full = asked.refusal;
      return asked.refusal;
    }
    const what = `${request.method} ${request.host}${shownPath(masker.maskLine(request.target))}`;
    log(`gate: ${what} waits until a person has approved it: ${asked.approveUrl}`);
    const verdict = await this.verdict(asked.id, request.sha256, gone);
    if (verdict === null) {
      // The sweeper withdraws it where this cannot.
      await questions.withdraw(asked.id);
      return notApproved('nobody waits for it any more');
    }
    if (verdict.refusal === null && !gone.aborted) log(`gate: ${what} was approved, and is sent`);
    return verdict.refusal;
  }

  /** null: it is not needed any more. */
  private async verdict(
    id: string,
    sha256: string,
    gone: AbortSignal,
  ): Promise<{ refusal: Refusal | null } | null> {
    const news = new EventTarget();
    const off = this.parts.notifications.on(QUESTION_TOPIC, id, () => news.dispatchEvent(new Event('news')));
    const end = AbortSignal.any([gone, AbortSignal.timeout(LONGEST_MS)]);
    try {
      while (!end.aborted) {
        const told = once(news, 'news', {
          signal: AbortSignal.any([end, AbortSignal.timeout(LOOK_EVERY_MS)]),
        }).catch(() => undefined);
        const verdict = await this.look(id, sha256);
        if (verdict !== null) return verdict;
        await told;
      }
      return null;
    } finally {
      off();
    }
  }

  private async look(id: string, sha256: string): Promise<{ refusal: Refusal | null } | null> {
    try {
      return await this.parts.questions.verdict(this.run, id, sha256);
    } catch (error) {
      if (isDatabaseAway(error)) return null;
      throw error;
    }
  }
}

/** Without the query, which may hold what is nobody's business. */
function shownPath(target: string): string {
  return cutText(target.replace(/\?.*$/s, ''), MOST_SHOWN, '…');
}
