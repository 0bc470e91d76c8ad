import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

import { Settings } from '../config/settings.js';
import { NotFound, ProblemError, RateLimited, Unauthorized } from '../http/errors.js';
import type { GatehouseReply, GatehouseRequest } from '../http/request.js';
import { addressGroup } from '../rate-limit/address-group.js';
import { writeRateHeaders } from '../rate-limit/rate-headers.js';
import { RateLimiter, type RatePolicy } from '../rate-limit/rate-limiter.js';
import { ACCESS_RULE } from './access.decorator.js';
import {
  type AccessRule,
  enterWorkspace,
  refusalInWorkspace,
  refusalOutsideWorkspace,
} from './access-rule.js';
import { Authenticator } from './authenticator.js';
import type { Authenticated } from './credentials.repository.js';
import { CredentialUse } from './credential-use.js';

const FAILURES: RatePolicy = { name: 'failures', perMinute: 60, burst: 60 };

/** The way in, in this order: credential (401), limits (429), workspace and environment (400, 403), scope, role (403). */
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
    this.use.note(found.caller);
    await this.limit(found, reply);
    this.admit(rule, found, request);
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

  private admit(rule: AccessRule, { caller, finding }: Authenticated, request: GatehouseRequest): void {
    if (typeof rule === 'string') {
      const refusal = rule === 'public' ? null : refusalOutsideWorkspace(rule, caller);
      if (refusal) throw refusal;
      return;
    }
    const entered = enterWorkspace(caller, finding);
    if (entered instanceof ProblemError) throw entered;
    const refusal = refusalInWorkspace(rule, entered);
    if (refusal) throw refusal;
    request.workspaceCaller = entered;
  }
}
