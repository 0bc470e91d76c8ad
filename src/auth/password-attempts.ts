import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';

import { RateLimited } from '../core/http/errors.js';
import type { GatehouseReply, GatehouseRequest } from '../core/http/request.js';
import { writeRateHeaders } from '../core/rate-limit/rate-headers.js';
import { RateLimiter, type RatePolicy } from '../core/rate-limit/rate-limiter.js';

const PER_ACCOUNT_AND_ADDRESS: RatePolicy = { name: 'login-address', perMinute: 5, burst: 5 };
/** Against trying one password on many accounts. */
const FAILURES: RatePolicy = { name: 'login-failures', perMinute: 60, burst: 60 };
const FORGOTTEN_PER_ACCOUNT_AND_ADDRESS: RatePolicy = { name: 'forgot-address', perMinute: 5, burst: 5 };
const FORGOTTEN_PER_ACCOUNT: RatePolicy = { name: 'forgot-account', perMinute: 30, burst: 30 };
const RESETS_PER_ADDRESS: RatePolicy = { name: 'reset-address', perMinute: 30, burst: 30 };
const PER_ACCOUNT: RatePolicy = { name: 'login-account', perMinute: 30, burst: 30 };

const TRIES = 'Too many tries of a password for this account.';

/** Counts every try of a password, right or wrong, for addresses with an account and without one alike. */
@Injectable()
export class PasswordAttempts {
  constructor(private readonly limiter: RateLimiter) {}

  async take(email: string, address: string, reply: GatehouseReply): Promise<void> {
    await this.takeFrom(PER_ACCOUNT_AND_ADDRESS, `${address} ${email}`, TRIES, reply);
    await this.takeFrom(PER_ACCOUNT, email, TRIES);
  }

  /** To be called after a failed try: as elsewhere, only failures count against an address. */
  async noteFailure(address: string): Promise<void> {
    await this.takeFrom(FAILURES, address, 'Too many tries of a password from this address.');
  }

  /** Asking for a new password has limits of its own: it keeps nobody from signing in. */
  async takeForgotten(email: string, address: string, reply: GatehouseReply): Promise<void> {
    const problem = 'A new password was asked for too often for this account.';
    await this.takeFrom(FORGOTTEN_PER_ACCOUNT_AND_ADDRESS, `${address} ${email}`, problem, reply);
    await this.takeFrom(FORGOTTEN_PER_ACCOUNT, email, problem);
  }

  async takeReset(address: string, reply: GatehouseReply): Promise<void> {
    await this.takeFrom(RESETS_PER_ADDRESS, address, 'Too many tries of a link from this address.', reply);
  }

  private async takeFrom(
    policy: RatePolicy,
    key: string,
    problem: string,
    reply?: GatehouseReply,
  ): Promise<void> {
    const verdict = await this.limiter.take(key, policy);
    if (reply) writeRateHeaders(reply, policy, verdict);
    if (!verdict.allowed) {
      throw new RateLimited(verdict.retryAfterSeconds, problem);
    }
  }
}

/**
 * For routes of somebody signed in. A guard runs before the transaction of a request with an `Idempotency-Key`, which
 * would give the try back when the password turns out wrong.
 */
@Injectable()
export class PasswordAttemptGuard implements CanActivate {
  constructor(private readonly attempts: PasswordAttempts) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<GatehouseRequest>();
    await this.attempts.take(request.caller!.person!.email, request.ip, http.getResponse<GatehouseReply>());
    return true;
  }
}
