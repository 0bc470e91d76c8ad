import { Injectable, Logger } from '@nestjs/common';

import type { SignInPlace } from '../auth/index.js';
import { Settings } from '../core/config/index.js';
import { Forbidden, QuotaExceeded } from '../core/errors/index.js';
import { inTime } from '../core/time-limit/index.js';
import { AdmissionService } from './admission.service.js';
import { provenProblem } from './proven-person.js';
import { redirectUriOf } from './redirect-uri.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { SignInRefused } from './sign-in-refusal.js';
import { hasState, SignInSecret } from './sign-in-secret.js';
import { type BegunSignIn, type ProvenPerson, type SignInWayProvider, WAY_LIMIT } from './sign-in-way.js';
import { SignInWays } from './sign-in-ways.js';

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
    try {
      const { next, proven } = await this.prove(way, query, cookie);
      const { token, secured } = await this.admission.admit(way, proven, place);
      return { location: `${baseUrl}${secured ? securedPage(next) : next}`, token };
    } catch (error) {
      const refused = refusalOf(error);
      this.logger.warn(`Nobody was signed in with ${way.title} (${refused.refusal}): ${refused.message}`);
      if (refused.userId !== null) {
        await this.admission.recordRefusal(way.id, refused.refusal, refused.userId);
      }
      return { location: `${baseUrl}/sign-in?problem=${refused.refusal}`, token: null };
    }
  }

  private async prove(
    way: SignInWayProvider,
    query: string,
    cookie: string | null,
  ): Promise<{ next: string; proven: ProvenPerson }> {
    const redirectUri = redirectUriOf(this.settings, way.id);
    const callback = new URL(`${redirectUri}${query}`);
    const secret = SignInSecret.of(cookie);
    const begun = secret?.for(way.id, redirectUri);
    // Before it is used up: somebody else's link must not end a sign-in in progress.
    if (!secret || !begun || !hasState(callback, begun.state)) {
      throw new SignInRefused('expired', 'This browser has not begun this sign-in.');
    }
    const next = await this.attempts.take(secret.hash, way.id);
    if (next === null)
      throw new SignInRefused('expired', 'It is finished already, or was begun too long ago.');
    return { next, proven: await this.askWay(way, begun, callback) };
  }

  private async askWay(way: SignInWayProvider, begun: BegunSignIn, callback: URL): Promise<ProvenPerson> {
    const proven = await inTime(WAY_LIMIT, () => way.finish(begun, callback));
    const problem = provenProblem(proven);
    if (problem !== null) throw new Error(`What the way says of the person cannot be used: ${problem}.`);
    return proven;
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
  return new SignInRefused(error instanceof Forbidden ? 'not_admitted' : 'failed', message);
}
