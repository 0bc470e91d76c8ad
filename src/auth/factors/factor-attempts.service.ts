import { Injectable } from '@nestjs/common';

import { addressGroup, RateLimiter, type RatePolicy, type RateReport } from '../../core/rate-limit/index.js';

/**
 * Three of a million codes of six digits are good at a time, so strangers get a few an hour, wherever they come from. Nobody
 * gets one beyond this limit, as with passwords: only whoever knows the password can use it up, and a passkey or a
 * recovery code passes it.
 */
const CODES: RatePolicy = { name: 'second-factor-codes', perMinute: 1, burst: 10 };
const PER_ACCOUNT_AND_ADDRESS: RatePolicy = { name: 'second-factor-address', perMinute: 5, burst: 5 };
const PASSKEYS: RatePolicy = { name: 'passkey-address', perMinute: 30, burst: 30 };

/** How often second factors may be tried. */
@Injectable()
export class FactorAttemptsService {
  constructor(private readonly limiter: RateLimiter) {}

  /** @throws RateLimited */
  async takeSecondStep(userId: string, address: string, report: RateReport): Promise<void> {
    const key = `${addressGroup(address)} ${userId}`;
    const refusal = 'Too many tries of a second factor for this account.';
    await this.limiter.demand(key, PER_ACCOUNT_AND_ADDRESS, refusal, report);
  }

  /** @throws RateLimited */
  async takeCode(userId: string): Promise<void> {
    const instead = 'Wait, or use a passkey or a recovery code.';
    await this.limiter.demand(userId, CODES, `Too many codes were tried for this account. ${instead}`);
  }

  /** The code was right: it was no try of a stranger. */
  codeWasRight(userId: string): Promise<void> {
    return this.limiter.giveBack(userId, CODES);
  }

  /** Of a passkey alone, where it is not known yet whose it is. @throws RateLimited */
  async takePasskey(address: string, report: RateReport): Promise<void> {
    const refusal = 'Too many tries of a passkey from this address.';
    await this.limiter.demand(addressGroup(address), PASSKEYS, refusal, report);
  }
}
