import { Injectable } from '@nestjs/common';

import { RateLimited } from '../core/errors/index.js';
import { addressGroup, RateLimiter, type RatePolicy } from '../core/rate-limit/index.js';
import type { RateReport } from './rate-report.js';

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
    await this.take(FORGOTTEN_PER_ACCOUNT_AND_ADDRESS, own, problem, report);
    await this.take(FORGOTTEN_PER_ACCOUNT, email, problem);
  }

  async takeReset(address: string, report: RateReport): Promise<void> {
    const problem = 'Too many tries of a link from this address.';
    await this.take(RESETS_PER_ADDRESS, addressGroup(address), problem, report);
  }

  private async take(policy: RatePolicy, key: string, problem: string, report?: RateReport): Promise<void> {
    const verdict = await this.limiter.take(key, policy);
    report?.(policy, verdict);
    if (!verdict.allowed) throw new RateLimited(verdict.retryAfterSeconds, problem);
  }
}
