import { Injectable } from '@nestjs/common';

import { RateLimited } from '../core/errors/index.js';
import { addressGroup, RateLimiter, type RatePolicy, type RateReport } from '../core/rate-limit/index.js';

const PER_ACCOUNT_AND_ADDRESS: RatePolicy = { name: 'login-address', perMinute: 5, burst: 5 };
const PER_ACCOUNT: RatePolicy = { name: 'login-account', perMinute: 30, burst: 30 };
/** Against trying one password on many accounts. */
const FAILURES: RatePolicy = { name: 'login-failures', perMinute: 60, burst: 60 };
/** One token, which comes back a quarter of an hour after a failure. */
const CLEAN: RatePolicy = { name: 'login-clean', perMinute: 1 / 15, burst: 1 };

const FOR_THE_ACCOUNT = 'Too many tries of a password for this account.';
const FROM_THE_ADDRESS = 'Too many tries of a password from this address.';

/** An attempt that may go on to compare the password, after which one of these is called. */
interface PasswordAttempt {
  succeeded(): Promise<void>;
  /** @throws RateLimited where only the right password would have been let in */
  failed(): Promise<void>;
}

/**
 * How often those who are not signed in may try passwords, for addresses with an account and without one alike. Attackers
 * who use up an account's limit do not lock its person out: an address that has not failed lately may make one attempt
 * beyond that limit, and another one after each success.
 */
@Injectable()
export class PasswordAttemptsService {
  constructor(private readonly limiter: RateLimiter) {}

  /** @throws RateLimited */
  async begin(email: string, address: string, report: RateReport): Promise<PasswordAttempt> {
    const group = addressGroup(address);
    await this.limiter.demand(`${group} ${email}`, PER_ACCOUNT_AND_ADDRESS, FOR_THE_ACCOUNT, report);
    const ofAccount = await this.limiter.take(email, PER_ACCOUNT);
    // Each attempt counts as a failure until it succeeds, so that many at once do not slip through.
    const clean = await this.limiter.take(group, CLEAN);
    const tooMany = new RateLimited(ofAccount.retryAfterSeconds, FOR_THE_ACCOUNT);
    if (!ofAccount.allowed && !clean.allowed) throw tooMany;
    await this.limiter.demand(group, FAILURES, FROM_THE_ADDRESS);
    return {
      succeeded: async () => {
        await this.limiter.giveBack(group, FAILURES);
        if (clean.allowed) await this.limiter.giveBack(group, CLEAN);
      },
      failed: async () => {
        if (!ofAccount.allowed) throw tooMany;
      },
    };
  }
}
