import { Injectable } from '@nestjs/common';

import { Settings } from '../config/settings.js';
import { RateLimited } from '../http/errors.js';
import type { GatehouseReply, GatehouseRequest } from '../http/request.js';
import { addressGroup } from '../rate-limit/address-group.js';
import { writeRateHeaders } from '../rate-limit/rate-headers.js';
import { RateLimiter, type RatePolicy } from '../rate-limit/rate-limiter.js';
import { Authenticator } from './authenticator.js';
import { CredentialUse } from './credential-use.js';
import type { Authenticated } from './credentials.repository.js';

const FAILURES: RatePolicy = { name: 'failures', perMinute: 60, burst: 60 };

/** Judges a request's credential once, and what that costs: whatever comes of the request, its answer tells the limit. */
@Injectable()
export class CredentialCheck {
  private readonly perCredential: RatePolicy;

  constructor(
    private readonly authenticator: Authenticator,
    private readonly limiter: RateLimiter,
    private readonly settings: Settings,
    private readonly use: CredentialUse,
  ) {
    this.perCredential = { name: 'requests', perMinute: settings.rateLimit, burst: settings.rateBurst };
  }

  /**
   * null: there is no good credential, and the address has paid for the attempt.
   *
   * @throws RateLimited
   */
  async check(request: GatehouseRequest, reply: GatehouseReply): Promise<Authenticated | null> {
    const found = await this.authenticator.identify(request);
    if (!found) {
      await this.limitAddress(request, reply);
      return null;
    }
    request.caller = found.caller;
    this.use.note(found.caller, request.ip);
    await this.limitCredential(found, reply);
    this.authenticator.checkOriginOf(request, found);
    return found;
  }

  /** For an address that is nobody's: whoever sends no credential is told so for nothing. */
  async checkPresented(request: GatehouseRequest, reply: GatehouseReply): Promise<void> {
    if (this.authenticator.isPresented(request)) await this.check(request, reply);
  }

  /** Only failures count against an address: a valid credential is never refused for where it comes from. */
  private async limitAddress(request: GatehouseRequest, reply: GatehouseReply): Promise<void> {
    if (this.settings.rateLimit === 0) return;
    const verdict = await this.limiter.take(addressGroup(request.ip), FAILURES);
    writeRateHeaders(reply, FAILURES, verdict);
    if (!verdict.allowed) {
      throw new RateLimited(verdict.retryAfterSeconds, 'Too many requests without a valid credential.');
    }
  }

  private async limitCredential({ caller }: Authenticated, reply: GatehouseReply): Promise<void> {
    if (this.settings.rateLimit === 0) return;
    const verdict = await this.limiter.take(caller.credentialId, this.perCredential);
    writeRateHeaders(reply, this.perCredential, verdict);
    if (!verdict.allowed) {
      throw new RateLimited(verdict.retryAfterSeconds, 'Too many requests with this credential.');
    }
  }
}
