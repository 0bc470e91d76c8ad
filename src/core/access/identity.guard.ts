import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

import { Settings } from '../config/index.js';
import { NotFound, Unauthorized } from '../errors/index.js';
import type { AccessRequest } from './access-request.js';
import type { AccessRule } from './access-rule.js';
import { ACCESS_RULE } from './access.decorator.js';
import { CHALLENGE, SIGN_IN_FIRST, signInChallenge } from './challenge.js';
import { CredentialCheck } from './credential-check.js';

/**
 * Finds out who sends a request to a route that is not public; without a good credential it ends here (401). Whether they
 * may use the route is decided by `AccessGuard`.
 */
@Injectable()
export class IdentityGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly credential: CredentialCheck,
    private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule>(ACCESS_RULE, context.getHandler());
    if (rule === 'public') return true;
    if (rule === 'personal_token' && !this.settings.personalTokens) {
      throw new NotFound('route: personal access tokens are switched off here');
    }
    const request = context.switchToHttp().getRequest<AccessRequest>();
    const identity = await this.credential.check(request);
    if (!identity) {
      const metadata = this.reflector.get<string | undefined>(CHALLENGE, context.getHandler());
      if (metadata === undefined) throw new Unauthorized();
      const presented = request.headers.authorization !== undefined;
      throw new Unauthorized(
        SIGN_IN_FIRST,
        signInChallenge(`${this.settings.baseUrl}${metadata}`, presented),
      );
    }
    request.identity = identity;
    return true;
  }
}
