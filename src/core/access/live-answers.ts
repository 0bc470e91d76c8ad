import { Injectable } from '@nestjs/common';

import { ProblemError, RateLimited } from '../errors/problems.js';
import { Loop } from '../work/loop.decorator.js';
import type { AccessRequest } from './access-request.js';
import { type AccessRule, admitted } from './access-rule.js';
import { Authenticator } from './authenticator.js';
import type { Caller, WorkspaceCaller } from './caller.js';
import { CredentialsRepository, type SentCredential } from './credentials.repository.js';

const JUDGE_EVERY_MS = 1_000;
/** What nobody could judge for so long is ended, since an end must not take longer than 5 seconds. */
const UNJUDGED_MS = 4_000;
/** At once, by one credential, in one process. */
const MOST_PER_CREDENTIAL = 20;
const RETRY_SECONDS = 5;

/** What an answer shows besides what everybody whom its route lets in may see. */
export interface LiveSubject {
  /** Whose judge is asked, such as `run`. */
  kind: string;
  id: string;
}

/** For each question whether the caller may see that thing still, in their order. One statement for all of them. */
export type SubjectJudge = (
  questions: readonly { caller: WorkspaceCaller; id: string }[],
) => Promise<boolean[]>;

/** An answer that goes on for as long as its caller may have it. */
export interface LiveAnswer {
  /** Aborted once they may not, or the answer was closed. */
  readonly ended: AbortSignal;
  /** To be called when the answer is over for whatever reason. */
  close(): void;
}

interface Open {
  sent: SentCredential;
  rule: Exclude<AccessRule, 'public'>;
  credentialId: string;
  subject: LiveSubject | null;
  end: AbortController;
  /** By the clock of this process, when what was found to be right began to be looked up. */
  judgedAt: number;
}

/**
 * Answers without an end of their own, such as streams of events. Every second all of this process are judged anew as
 * their requests were, by one statement for their credentials and one for each kind of subject, so that none outlives its
 * credential, its membership or the access that it needs.
 *
 * @example
 * const live = this.liveAnswers.open(request, { kind: 'run', id });
 * sendEventStream(reply, this.events(id, live.ended), live);
 */
@Injectable()
export class LiveAnswers {
  private readonly answers = new Set<Open>();
  private readonly judges = new Map<string, SubjectJudge>();

  constructor(
    private readonly authenticator: Authenticator,
    private readonly credentials: CredentialsRepository,
  ) {}

  /** To be called when the application starts, by the domain whose subjects they are. */
  registerSubject(kind: string, judge: SubjectJudge): void {
    this.judges.set(kind, judge);
  }

  /**
   * Begins to watch over the answer to a request that was let in just now.
   *
   * @throws RateLimited where the credential has too many open already
   */
  open(request: AccessRequest, subject: LiveSubject | null = null): LiveAnswer {
    const { caller, accessRule: rule } = request;
    const sent = this.authenticator.sentWith(request);
    if (!caller || !rule || !sent)
      throw new Error('Only what was let in by its credential can be watched over.');
    if (subject && !this.judges.has(subject.kind)) throw new Error(`Nobody judges a ${subject.kind}.`);
    const { credentialId } = caller;
    const theirs = [...this.answers].filter((open) => open.credentialId === credentialId);
    if (theirs.length >= MOST_PER_CREDENTIAL) {
      throw new RateLimited(
        RETRY_SECONDS,
        `This credential follows ${MOST_PER_CREDENTIAL} streams already. End one of them first.`,
      );
    }
    const end = new AbortController();
    const answer: Open = { sent, rule, credentialId, subject, end, judgedAt: performance.now() };
    this.answers.add(answer);
    return { ended: end.signal, close: () => this.end(answer) };
  }

  /** A loop of its own, since judging may wait for a database that is away. */
  @Loop({ every: JUDGE_EVERY_MS })
  async endUnjudged(): Promise<void> {
    const now = performance.now();
    for (const answer of this.answers) if (now - answer.judgedAt > UNJUDGED_MS) this.end(answer);
  }

  @Loop({ every: JUDGE_EVERY_MS })
  async judge(): Promise<void> {
    if (this.answers.size > 0) await this.judgeAll([...this.answers], performance.now());
  }

  private async judgeAll(answers: readonly Open[], now: number): Promise<void> {
    const callers = await this.callersOf(answers);
    const shown = await this.shown(answers, callers);
    for (const answer of answers) {
      if (callers.has(answer) && shown.has(answer)) answer.judgedAt = now;
      else this.end(answer);
    }
  }

  /** Those who would still be let in, as they are now. */
  private async callersOf(answers: readonly Open[]): Promise<Map<Open, Caller | WorkspaceCaller>> {
    const sent = new Map(answers.map((answer) => [keyOf(answer.sent), answer.sent]));
    const found = await this.credentials.findMany([...sent.values()]);
    const byKey = new Map([...sent.keys()].map((key, place) => [key, found[place]]));
    const callers = new Map<Open, Caller | WorkspaceCaller>();
    for (const answer of answers) {
      const authenticated = byKey.get(keyOf(answer.sent));
      if (!authenticated) continue;
      const entered = admitted(answer.rule, authenticated.caller, authenticated.finding);
      if (!(entered instanceof ProblemError)) callers.set(answer, entered);
    }
    return callers;
  }

  /** Those whose subject their caller may still see, or who have none. */
  private async shown(
    answers: readonly Open[],
    callers: ReadonlyMap<Open, Caller | WorkspaceCaller>,
  ): Promise<Set<Open>> {
    const shown = new Set(answers.filter(({ subject }) => subject === null));
    for (const [kind, judge] of this.judges) {
      const asked = answers.flatMap((answer) => {
        const caller = callers.get(answer);
        const concerned = answer.subject?.kind === kind && caller && 'workspace' in caller;
        return concerned ? [{ answer, caller, id: answer.subject!.id }] : [];
      });
      const verdicts = asked.length === 0 ? [] : await judge(asked);
      for (const [place, { answer }] of asked.entries()) if (verdicts[place]) shown.add(answer);
    }
    return shown;
  }

  private end(answer: Open): void {
    this.answers.delete(answer);
    answer.end.abort();
  }
}

function keyOf({ strategy, hash, workspace, environment }: SentCredential): string {
  return JSON.stringify([strategy.name, hash.toString('hex'), workspace, environment]);
}
