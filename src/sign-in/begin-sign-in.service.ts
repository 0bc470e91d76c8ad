import { Injectable, Logger } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { Unavailable } from '../core/errors/index.js';
import { inTime } from '../core/time-limit/index.js';
import { addressGroup, RateLimiter, type RatePolicy, type RateReport } from '../core/rate-limit/index.js';
import { redirectUriOf } from './redirect-uri.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { SignInSecret } from './sign-in-secret.js';
import { WAY_LIMIT } from './sign-in-way.js';
import { SignInWays } from './sign-in-ways.js';

/** From the button to the end of whatever the provider asks for. */
export const ATTEMPT_SECONDS = 900;
const PER_ADDRESS: RatePolicy = { name: 'sign-in-ways', perMinute: 30, burst: 30 };

/** What for. */
interface Wanted {
  /** The page to go on to. */
  next: string;
  /** Who is signed in and proves once more who they are; null: somebody signs in. */
  userId: string | null;
}

interface Begun {
  /** Where the browser is to go. */
  redirectTo: string;
  /** For the browser's cookie. */
  secret: string;
}

/** Sends a browser to a provider. */
@Injectable()
export class BeginSignInService {
  private readonly logger = new Logger(BeginSignInService.name);

  constructor(
    private readonly ways: SignInWays,
    private readonly attempts: SignInAttemptsRepository,
    private readonly limiter: RateLimiter,
    private readonly settings: Settings,
  ) {}

  /** @throws NotFound, RateLimited; Unavailable where the provider cannot be reached */
  async begin(wayId: string, { next, userId }: Wanted, from: string, report: RateReport): Promise<Begun> {
    const way = this.ways.get(wayId);
    await this.limiter.demand(addressGroup(from), PER_ADDRESS, 'Too many tries of signing in.', report);
    const secret = SignInSecret.next();
    const begun = secret.for(way.id, redirectUriOf(this.settings, way.id), userId === null ? undefined : 0);
    const redirectTo = await this.addressFrom(way.title, () => way.begin(begun));
    await this.attempts.insert({ hash: secret.hash, way: way.id, next, userId }, ATTEMPT_SECONDS);
    return { redirectTo, secret: secret.text };
  }

  private async addressFrom(title: string, begin: () => Promise<URL> | URL): Promise<string> {
    try {
      const { protocol, href } = await inTime(WAY_LIMIT, begin);
      if (protocol !== 'https:' && protocol !== 'http:')
        throw new Error(`It begins at a ${protocol} address.`);
      return href;
    } catch (error) {
      this.logger.warn(`Nobody can sign in with ${title}: ${(error as Error).message}`);
      const instead = this.settings.passwords ? ', or sign in with a password' : '';
      throw new Unavailable(`${title} cannot be reached. Try again${instead}.`);
    }
  }
}
