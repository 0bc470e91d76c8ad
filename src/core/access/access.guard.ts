import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

import { Settings } from '../config/settings.js';
import { ConfirmationRequired, NotFound, ProblemError, Unauthorized } from '../errors/problems.js';
import type { AccessRequest } from './access-request.js';
import { ACCESS_RULE } from './access.decorator.js';
import { type AccessRule, admitted } from './access-rule.js';
import { NEEDS_CONFIRMATION } from './confirmation.js';
import { CredentialCheck } from './credential-check.js';
import type { Authenticated } from './credentials.repository.js';

/**
 * The way in: credential (401), workspace and environment (400, 403), scope, role and, where the route asks for it, a
 * recent password (403). A limit (429) comes between credential and workspace, whatever is decided here: see
 * RateLimitInterceptor.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly credential: CredentialCheck,
    private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule>(ACCESS_RULE, context.getHandler());
    if (rule === 'public') return true;
    const request = context.switchToHttp().getRequest<AccessRequest>();
    if (rule === 'personal_token' && !this.settings.personalTokens) {
      throw new NotFound('route: personal access tokens are switched off here');
    }
    const found = await this.credential.check(request);
    if (!found) throw new Unauthorized();
    this.admit(rule, found, request);
    const wanted = this.reflector.get<boolean | undefined>(NEEDS_CONFIRMATION, context.getHandler());
    if (wanted && !found.confirmed) throw new ConfirmationRequired();
    return true;
  }

  private admit(
    rule: Exclude<AccessRule, 'public'>,
    { caller, finding }: Authenticated,
    request: AccessRequest,
  ): void {
    const entered = admitted(rule, caller, finding);
    if (entered instanceof ProblemError) throw entered;
    request.accessRule = rule;
    if (!('workspace' in entered)) return;
    request.workspaceCaller = entered;
    request.owner = entered.workspace.id;
  }
}
