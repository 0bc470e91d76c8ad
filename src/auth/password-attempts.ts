import { Injectable } from '@nestjs/common';

import { RateLimited } from '../core/errors/problems.js';
import type { GatehouseResponse } from '../core/http/request.js';
import { addressGroup } from '../core/rate-limit/address-group.js';
import { writeRateHeaders } from '../core/rate-limit/rate-headers.js';
import { RateLimiter, type RatePolicy } from '../core/rate-limit/rate-limiter.js';

const PER_ACCOUNT_AND_ADDRESS: RatePolicy = { name: 'login-address', perMinute: 5, burst: 5 };
const PER_ACCOUNT: RatePolicy = { name: 'login-account', perMinute: 30, burst: 30 };
/** Against trying one password on many accounts. */
const FAILURES: RatePolicy = { name: 'login-failures', perMinute: 60, burst: 60 };
/** Full as long as an address has failed at nothing for a quarter of an hour. */
const CLEAN: RatePolicy = { name: 'login-clean', perMinute: 1 / 15, burst: 1 };

const FOR_THE_ACCOUNT = 'Too many tries of a password for this account.';
const FROM_THE_ADDRESS = 'Too many tries of a password from this address.';

/** A try that may go on to compare the password; then it says how that went. */
export interface PasswordAttempt {
  succeeded(): Promise<void>;
  /** @throws RateLimited where only the right password would have been let in */
  failed(): Promise<void>;
}

/**
 * How often passwords may be tried by whoever is not signed in, for addresses with an account and without one alike.
 * Others who try wrong ones keep nobody out: an address that has not failed lately goes past the limit of the account,
 * once, and again once it was right.
 */
@Injectable()
export class PasswordAttempts {
  constructor(private readonly limiter: RateLimiter) {}

  /** @throws RateLimited */
  async begin(email: string, address: string, reply: GatehouseResponse): Promise<PasswordAttempt> {
    const group = addressGroup(address);
    const own = await this.limiter.take(`${group} ${email}`, PER_ACCOUNT_AND_ADDRESS);
    writeRateHeaders(reply, PER_ACCOUNT_AND_ADDRESS, own);
    if (!own.allowed) throw new RateLimited(own.retryAfterSeconds, FOR_THE_ACCOUNT);
    const ofAccount = await this.limiter.take(email, PER_ACCOUNT);
    // Failures are counted before they are, so that many at once do not slip through; a success takes it back.
    const clean = await this.limiter.take(group, CLEAN);
    const tooMany = new RateLimited(ofAccount.retryAfterSeconds, FOR_THE_ACCOUNT);
    if (!ofAccount.allowed && !clean.allowed) throw tooMany;
    const ofAddress = await this.limiter.take(group, FAILURES);
    if (!ofAddress.allowed) throw new RateLimited(ofAddress.retryAfterSeconds, FROM_THE_ADDRESS);
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
