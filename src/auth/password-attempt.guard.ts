import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';

import { RateLimited } from '../core/errors/index.js';
import type { AccessRequest } from '../core/access/index.js';
import type { GatehouseResponse } from '../core/http/index.js';
import { addressGroup, RateLimiter, type RatePolicy, writeRateHeaders } from '../core/rate-limit/index.js';

const PER_PERSON_AND_ADDRESS: RatePolicy = { name: 'password-address', perMinute: 5, burst: 5 };
const PER_PERSON: RatePolicy = { name: 'password-account', perMinute: 30, burst: 30 };

/**
 * Limits the routes where somebody who is signed in gives their password. These limits are separate from those of signing
 * in, which strangers can use up. It is a guard, since guards run before the transaction of a request with an
 * `Idempotency-Key`: within it, a wrong password would roll the count back.
 */
@Injectable()
export class PasswordAttemptGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<AccessRequest>();
    const { id } = request.caller!.person!;
    await this.take(PER_PERSON_AND_ADDRESS, `${addressGroup(request.ip)} ${id}`, http.getResponse());
    await this.take(PER_PERSON, id, http.getResponse());
    return true;
  }

  private async take(policy: RatePolicy, key: string, reply: GatehouseResponse): Promise<void> {
    const verdict = await this.limiter.take(key, policy);
    if (policy === PER_PERSON_AND_ADDRESS || !verdict.allowed) writeRateHeaders(reply, policy, verdict);
    if (!verdict.allowed) {
      throw new RateLimited(verdict.retryAfterSeconds, 'Too many tries of a password for this account.');
    }
  }
}
