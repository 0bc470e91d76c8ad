import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

import { Settings } from '../config/settings.js';
import { ConfirmationRequired, NotFound, ProblemError, RateLimited, Unauthorized } from '../http/errors.js';
import type { GatehouseReply, GatehouseRequest } from '../http/request.js';
import { addressGroup } from '../rate-limit/address-group.js';
import { writeRateHeaders } from '../rate-limit/rate-headers.js';
import { RateLimiter, type RatePolicy } from '../rate-limit/rate-limiter.js';
import { ACCESS_RULE } from './access.decorator.js';
import { type AccessRule, admitted } from './access-rule.js';
import { Authenticator } from './authenticator.js';
import { NEEDS_CONFIRMATION } from './confirmation.js';
import type { Authenticated } from './credentials.repository.js';
import { CredentialUse } from './credential-use.js';

const FAILURES: RatePolicy = { name: 'failures', perMinute: 60, burst: 60 };

/**
 * The way in, in this order: credential (401), limits (429), workspace and environment (400, 403), scope, role and, where
 * the route asks for it, a recent password (403).
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly perCredential: RatePolicy;

  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly limiter: RateLimiter,
    private readonly settings: Settings,
    private readonly use: CredentialUse,
  ) {
    this.perCredential = { name: 'requests', perMinute: settings.rateLimit, burst: settings.rateBurst };
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule>(ACCESS_RULE, context.getHandler());
    if (rule === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<GatehouseRequest>();
    const reply = http.getResponse<GatehouseReply>();
    if (rule === 'personal_token' && !this.settings.personalTokens) {
      throw new NotFound('route: personal access tokens are switched off here');
    }
    const found = await this.authenticator.authenticate(request);
    if (!found) return this.refuse(request, reply);
    request.caller = found.caller;
    this.use.note(found.caller, request.ip);
    await this.limit(found, reply);
    this.admit(rule, found, request);
    const wanted = this.reflector.get<boolean | undefined>(NEEDS_CONFIRMATION, context.getHandler());
    if (wanted && !found.confirmed) throw new ConfirmationRequired();
    return true;
  }

  /** Only failures count against an address: a valid credential is never refused for where it comes from. */
  private async refuse(request: GatehouseRequest, reply: GatehouseReply): Promise<never> {
    if (this.settings.rateLimit > 0) {
      const verdict = await this.limiter.take(addressGroup(request.ip), FAILURES);
      writeRateHeaders(reply, FAILURES, verdict);
      if (!verdict.allowed) {
        throw new RateLimited(verdict.retryAfterSeconds, 'Too many requests without a valid credential.');
      }
    }
    throw new Unauthorized();
  }

  private async limit({ caller }: Authenticated, reply: GatehouseReply): Promise<void> {
    if (this.settings.rateLimit === 0) return;
    const verdict = await this.limiter.take(caller.credentialId, this.perCredential);
    writeRateHeaders(reply, this.perCredential, verdict);
    if (!verdict.allowed) {
      throw new RateLimited(verdict.retryAfterSeconds, 'Too many requests with this credential.');
    }
  }

  private admit(
    rule: Exclude<AccessRule, 'public'>,
    { caller, finding }: Authenticated,
    request: GatehouseRequest,
  ): void {
    const entered = admitted(rule, caller, finding);
    if (entered instanceof ProblemError) throw entered;
    request.accessRule = rule;
    if ('workspace' in entered) request.workspaceCaller = entered;
  }
}
