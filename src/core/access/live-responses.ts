import { Injectable } from '@nestjs/common';

import { ProblemError, RateLimited } from '../errors/index.js';
import { Loop } from '../work/index.js';
import type { AccessRequest } from './access-request.js';
import { type AccessRule, admitted } from './access-rule.js';
import { Authenticator } from './authenticator.js';
import type { Caller, WorkspaceCaller } from './caller.js';
import { holderOf } from './credential-holder.js';
import { CredentialsRepository, type SentCredential } from './credentials.repository.js';
import type { Role } from './roles.js';
import { SubjectVisibility } from './subject-visibility.js';

const CHECK_EVERY_MS = 1_000;
/** A response that nobody could check for so long is ended: access that is lost must be gone within 5 seconds. */
const UNCHECKED_MS = 4_000;
/** At once, in one process: for one credential, and for all of a person or all API keys of a workspace. */
const MOST_PER_CREDENTIAL = 20;
const MOST_PER_HOLDER = 60;
const RETRY_SECONDS = 5;

/** The thing that a response shows, where not everybody who may use the route may see each such thing. */
interface LiveSubject {
  /** As registered with `SubjectVisibility`, such as `run`. */
  kind: string;
  id: string;
}

/** A response that goes on for as long as its caller may have it. */
export interface LiveResponse {
  /** Aborted once the caller may not have it any more, or it was closed. */
  readonly ended: AbortSignal;
  /** To be called when the response is over, for whatever reason. */
  close(): void;
}

interface Open {
  sent: SentCredential;
  rule: Exclude<AccessRule, 'public'>;
  credentialId: string;
  /** Whose the credential is. */
  holderId: string;
  /** The caller's in the workspace: with another one they have to ask again. */
  role: Role | null;
  subject: LiveSubject | null;
  end: AbortController;
  /** When the last check that it passed began, by the clock of this process. */
  checkedAt: number;
}

/**
 * Responses without an end of their own, such as streams of events. None outlives its credential, its membership or the
 * access that it needs: every second all of this process are checked as their requests were. That takes one statement
 * for their credentials and one for each kind of subject.
 *
 * @example
 * const live = this.liveResponses.open(request, { kind: 'run', id });
 * sendEventStream(response, this.events(id, live.ended), live);
 */
@Injectable()
export class LiveResponses {
  private readonly responses = new Set<Open>();

  constructor(
    private readonly authenticator: Authenticator,
    private readonly credentials: CredentialsRepository,
    private readonly visibility: SubjectVisibility,
  ) {}

  /**
   * Begins to watch the response to a request that has just passed the guards.
   *
   * @throws RateLimited where the credential, or whom it belongs to, has too many open already
   */
  open(request: AccessRequest, subject: LiveSubject | null = null): LiveResponse {
    const { caller, accessRule: rule } = request;
    const sent = this.authenticator.sentWith(request);
    if (!caller || !rule || !sent) throw new Error('Only a request with a credential can be checked again.');
    if (subject) this.visibility.assertKnown(subject.kind);
    const { credentialId } = caller;
    const role = request.workspaceCaller?.role ?? null;
    const holder = holderOf(caller, request.workspaceCaller?.workspace.id);
    const ofHolder = [...this.responses].filter((open) => open.holderId === holder.id);
    const ofCredential = ofHolder.filter((open) => open.credentialId === credentialId);
    if (ofCredential.length >= MOST_PER_CREDENTIAL) throw tooMany('This credential', MOST_PER_CREDENTIAL);
    if (ofHolder.length >= MOST_PER_HOLDER) throw tooMany(`This ${holder.kind}`, MOST_PER_HOLDER);
    const end = new AbortController();
    const response: Open = {
      ...{ sent, rule, credentialId, role, subject, end },
      holderId: holder.id,
      checkedAt: performance.now(),
    };
    this.responses.add(response);
    return { ended: end.signal, close: () => this.end(response) };
  }

  /** A loop of its own, since checking may wait for a database that is away. */
  @Loop({ every: CHECK_EVERY_MS })
  async endUnchecked(): Promise<void> {
    const now = performance.now();
    for (const response of this.responses) if (now - response.checkedAt > UNCHECKED_MS) this.end(response);
  }

  @Loop({ every: CHECK_EVERY_MS })
  async check(): Promise<void> {
    if (this.responses.size > 0) await this.checkAll([...this.responses], performance.now());
  }

  private async checkAll(responses: readonly Open[], now: number): Promise<void> {
    const callers = await this.callersOf(responses);
    const visible = await this.visible(responses, callers);
    for (const response of responses) {
      if (callers.has(response) && visible.has(response)) response.checkedAt = now;
      else this.end(response);
    }
  }

  /** The callers who would still be let in, in the role that they had. */
  private async callersOf(responses: readonly Open[]): Promise<Map<Open, Caller | WorkspaceCaller>> {
    const sent = new Map(responses.map((response) => [keyOf(response.sent), response.sent]));
    const found = await this.credentials.findMany([...sent.values()]);
    const byKey = new Map([...sent.keys()].map((key, place) => [key, found[place]]));
    const callers = new Map<Open, Caller | WorkspaceCaller>();
    for (const response of responses) {
      const identity = byKey.get(keyOf(response.sent));
      if (!identity) continue;
      const entered = admitted(response.rule, identity.caller, identity.finding);
      if (entered instanceof ProblemError) continue;
      if (response.role === null || ('role' in entered && entered.role === response.role)) {
        callers.set(response, entered);
      }
    }
    return callers;
  }

  /** The responses without a subject, and those whose caller may still see theirs. */
  private async visible(
    responses: readonly Open[],
    callers: ReadonlyMap<Open, Caller | WorkspaceCaller>,
  ): Promise<Set<Open>> {
    const visible = new Set(responses.filter(({ subject }) => subject === null));
    const kinds = new Set(responses.flatMap(({ subject }) => subject?.kind ?? []));
    for (const kind of kinds) {
      const pairs = responses.flatMap((response) => {
        const caller = callers.get(response);
        const concerned = response.subject?.kind === kind && caller && 'workspace' in caller;
        return concerned ? [{ response, caller, id: response.subject!.id }] : [];
      });
      const results = await this.visibility.check(kind, pairs);
      for (const [place, { response }] of pairs.entries()) if (results[place]) visible.add(response);
    }
    return visible;
  }

  private end(response: Open): void {
    this.responses.delete(response);
    response.end.abort();
  }
}

function tooMany(whose: string, most: number): RateLimited {
  return new RateLimited(RETRY_SECONDS, `${whose} follows ${most} streams already. End one of them first.`);
}

function keyOf({ strategy, hash, workspace, environment }: SentCredential): string {
  return JSON.stringify([strategy.name, hash.toString('hex'), workspace, environment]);
}
