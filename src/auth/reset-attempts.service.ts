import { Injectable } from '@nestjs/common';

import { addressGroup, RateLimiter, type RatePolicy, type RateReport } from '../core/rate-limit/index.js';

const FORGOTTEN_PER_ACCOUNT_AND_ADDRESS: RatePolicy = { name: 'forgot-address', perMinute: 5, burst: 5 };
const FORGOTTEN_PER_ACCOUNT: RatePolicy = { name: 'forgot-account', perMinute: 30, burst: 30 };
const RESETS_PER_ADDRESS: RatePolicy = { name: 'reset-address', perMinute: 30, burst: 30 };

/** How often new passwords may be asked for and links tried. Whoever uses these limits up can still sign in. */
@Injectable()
export class ResetAttemptsService {
  constructor(private readonly limiter: RateLimiter) {}

  async takeForgotten(email: string, address: string, report: RateReport): Promise<void> {
    const problem = 'A new password was asked for too often for this account.';
    const own = `${addressGroup(address)} ${email}`;
    await this.limiter.demand(own, FORGOTTEN_PER_ACCOUNT_AND_ADDRESS, problem, report);
    await this.limiter.demand(email, FORGOTTEN_PER_ACCOUNT, problem);
  }

  async takeReset(address: string, report: RateReport): Promise<void> {
    const problem = 'Too many tries of a link from this address.';
    await this.limiter.demand(addressGroup(address), RESETS_PER_ADDRESS, problem, report);
  }
}
