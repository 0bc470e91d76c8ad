import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

import { ConfirmationRequired, ProblemError, Unauthorized } from '../errors/problems.js';
import type { AccessRequest } from './access-request.js';
import { type AccessRule, admitted } from './access-rule.js';
import { ACCESS_RULE } from './access.decorator.js';
import { NEEDS_CONFIRMATION } from './confirmation.js';

/**
 * Decides whether the caller whom `IdentityGuard` has found may use a route: workspace and environment (400, 403), scope,
 * role and, where the route asks for it, a recent password (403). What is refused here counts for the rate limit
 * first, so that a 429 comes between credential and workspace: see `RateLimitInterceptor`.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const rule = this.reflector.get<AccessRule>(ACCESS_RULE, context.getHandler());
    if (rule === 'public') return true;
    const request = context.switchToHttp().getRequest<AccessRequest>();
    if (!request.identity) throw new Unauthorized();
    const { caller, finding } = request.identity;
    const entered = admitted(rule, caller, finding);
    if (entered instanceof ProblemError) throw entered;
    request.accessRule = rule;
    if ('workspace' in entered) {
      request.workspaceCaller = entered;
      request.owner = entered.workspace.id;
    }
    const needsConfirmation = this.reflector.get<boolean | undefined>(
      NEEDS_CONFIRMATION,
      context.getHandler(),
    );
    if (needsConfirmation && !caller.confirmed) throw new ConfirmationRequired();
    return true;
  }
}
