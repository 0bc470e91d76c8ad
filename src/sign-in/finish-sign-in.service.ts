import { Injectable, Logger } from '@nestjs/common';

import type { SignInPlace } from '../auth/index.js';
import { Settings } from '../core/config/index.js';
import { Forbidden, QuotaExceeded } from '../core/errors/index.js';
import { inTime } from '../core/time-limit/index.js';
import { AdmissionService } from './admission.service.js';
import { ATTEMPT_SECONDS } from './begin-sign-in.service.js';
import { provenProblem } from './proven-person.js';
import { redirectUriOf } from './redirect-uri.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { NotFresh, SignInRefused } from './sign-in-refusal.js';
import { hasState, SignInSecret } from './sign-in-secret.js';
import { type BegunSignIn, type ProvenPerson, type SignInWayProvider, WAY_LIMIT } from './sign-in-way.js';
import { SignInWays } from './sign-in-ways.js';

/** A sign-in that this browser has begun, and which is used up now. */
interface Taken {
  begun: BegunSignIn;
  callback: URL;
  next: string;
  /** Who is signed in and proves once more who they are; null: somebody signs in. */
  userId: string | null;
  startedAt: Date;
}

const CLOCKS_APART_MS = 60_000;

export interface Finished {
  /** Where the browser is to go: a page of ours. */
  location: string;
  /** Of the new session; null where nobody is signed in. */
  token: string | null;
}

/** Takes a browser back from a provider. */
@Injectable()
export class FinishSignInService {
  private readonly logger = new Logger(FinishSignInService.name);

  constructor(
    private readonly ways: SignInWays,
    private readonly attempts: SignInAttemptsRepository,
    private readonly admission: AdmissionService,
    private readonly settings: Settings,
  ) {}

  /**
   * @param query of the address with which the browser came, with its `?`
   * @param cookie what the browser has kept
   * @throws NotFound
   */
  async finish(wayId: string, query: string, cookie: string | null, place: SignInPlace): Promise<Finished> {
    const way = this.ways.get(wayId);
    const { baseUrl } = this.settings;
    let taken: Taken | null = null;
    try {
      taken = await this.take(way, query, cookie);
      const { next, userId } = taken;
      const proven = await this.prove(way, taken);
      const { token, secured } = await this.admission.admit(way, proven, place, userId);
      return { location: `${baseUrl}${secured ? securedPage(next) : next}`, token };
    } catch (error) {
      const refused = refusalOf(error);
      this.logger.warn(`Nobody was signed in with ${way.title} (${refused.refusal}): ${refused.message}`);
      if (refused.userId !== null) {
        await this.admission.recordRefusal(way.id, refused.refusal, refused.userId);
      }
      // Who is signed in already goes on from there.
      const next = taken?.userId ? `&${new URLSearchParams({ next: taken.next }).toString()}` : '';
      return { location: `${baseUrl}/sign-in?problem=${refused.refusal}${next}`, token: null };
    }
  }

  private async take(way: SignInWayProvider, query: string, cookie: string | null): Promise<Taken> {
    const redirectUri = redirectUriOf(this.settings, way.id);
    const callback = new URL(`${redirectUri}${query}`);
    const secret = SignInSecret.of(cookie);
    const begun = secret?.for(way.id, redirectUri);
    // Before it is used up: somebody else's link must not end a sign-in in progress.
    if (!secret || !begun || !hasState(callback, begun.state)) {
      throw new SignInRefused('expired', 'This browser has not begun this sign-in.');
    }
    const attempt = await this.attempts.take(secret.hash, way.id);
    if (attempt === null)
      throw new SignInRefused('expired', 'It is finished already, or was begun too long ago.');
    const { next, userId, expiresAt } = attempt;
    const startedAt = new Date(expiresAt.getTime() - ATTEMPT_SECONDS * 1000);
    if (userId !== null) begun.maxAgeSeconds = Math.ceil((Date.now() - startedAt.getTime()) / 1000);
    return { begun, callback, next, userId, startedAt };
  }

  private async prove(
    way: SignInWayProvider,
    { begun, callback, userId, startedAt }: Taken,
  ): Promise<ProvenPerson> {
    const proven = await inTime(WAY_LIMIT, () => way.finish(begun, callback));
    const problem = provenProblem(proven);
    if (problem !== null) throw new Error(`What the way says of the person cannot be used: ${problem}.`);
    if (userId !== null) assertFresh(proven, startedAt);
    return proven;
  }
}

/** @throws NotFresh */
function assertFresh({ authenticatedAt }: ProvenPerson, since: Date): void {
  if (authenticatedAt === null) {
    throw new NotFresh('The provider does not say when the person signed in there (auth_time).');
  }
  if (authenticatedAt.getTime() < since.getTime() - CLOCKS_APART_MS) {
    throw new NotFresh('The provider did not ask the person to sign in anew.');
  }
}

/** Tells of what has ended, and leads on. */
function securedPage(next: string): string {
  return `/account-secured?${new URLSearchParams({ next }).toString()}`;
}

function refusalOf(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof QuotaExceeded) return new SignInRefused('no_room', message);
  if (error instanceof NotFresh) return new SignInRefused('not_fresh', message);
  return new SignInRefused(error instanceof Forbidden ? 'not_admitted' : 'failed', message);
}
