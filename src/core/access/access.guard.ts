import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

import { Settings } from '../config/settings.js';
import { NotFound, ProblemError, Unauthorized } from '../http/errors.js';
import type { GatehouseRequest } from '../http/request.js';
import { RateLimitInterceptor } from '../rate-limit/rate-limit.interceptor.js';
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

/**
 * The way in: credential (401), workspace and environment (400, 403), scope, role (403). A limit (429) is judged after
 * the credential and before all else, whatever comes of it: see RateLimitInterceptor.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly rateLimit: RateLimitInterceptor,
    private readonly settings: Settings,
    private readonly use: CredentialUse,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule>(ACCESS_RULE, context.getHandler());
    if (rule === 'public') return true;
    const request = context.switchToHttp().getRequest<GatehouseRequest>();
    if (rule === 'personal_token' && !this.settings.personalTokens) {
      throw new NotFound('route: personal access tokens are switched off here');
    }
    const found = await this.authenticator.authenticate(request);
    if (!found) {
      request.countedFor = this.rateLimit.ofAddress(request.ip!);
      throw new Unauthorized();
    }
    request.countedFor = this.rateLimit.ofCredential(found.caller.credentialId);
    request.caller = found.caller;
    this.use.note(found.caller);
    this.admit(rule, found, request);
    return true;
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
