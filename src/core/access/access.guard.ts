import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

import { Unauthorized } from '../errors/index.js';
import type { AccessRequest } from './access-request.js';
import type { AccessRule } from './access-rule.js';
import { ACCESS_RULE } from './access.decorator.js';
import { NEEDS_CONFIRMATION, NEEDS_STEP_UP } from './confirmation.js';
import { letIn } from './let-in.js';

/**
 * Decides whether the caller whom `IdentityGuard` has found may use a route. What is refused here counts for the rate limit
 * first, so that a 429 comes between credential and workspace: see `RateLimitInterceptor`.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    const rule = this.reflector.get<AccessRule>(ACCESS_RULE, handler);
    if (rule === 'public') return true;
    const request = context.switchToHttp().getRequest<AccessRequest>();
    if (!request.identity) throw new Unauthorized();
    request.accessRule = rule;
    request.needsConfirmation = this.reflector.get<boolean | undefined>(NEEDS_CONFIRMATION, handler) ?? false;
    request.needsStepUp = this.reflector.get<boolean | undefined>(NEEDS_STEP_UP, handler) ?? false;
    request.bodyIsDue = !request.complete;
    letIn(request, request.identity);
    return true;
  }
}
