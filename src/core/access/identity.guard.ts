import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

import { Settings } from '../config/index.js';
import { NotFound, Unauthorized } from '../errors/index.js';
import type { GatehouseResponse } from '../http/index.js';
import { RateLimitInterceptor } from '../rate-limit/index.js';
import type { AccessRequest } from './access-request.js';
import type { AccessRule } from './access-rule.js';
import { ACCESS_RULE } from './access.decorator.js';
import { Authenticator } from './authenticator.js';
import { CHALLENGE, EXPIRED_CHALLENGE, SIGN_IN_FIRST, signInChallenge } from './challenge.js';
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
    private readonly authenticator: Authenticator,
    private readonly rateLimit: RateLimitInterceptor,
    private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule>(ACCESS_RULE, context.getHandler());
    if (rule === 'public') return true;
    if (rule === 'personal_token' && !this.settings.personalTokens) {
      throw new NotFound('route: personal access tokens are switched off here');
    }
    const http = context.switchToHttp();
    const request = http.getRequest<AccessRequest>();
    const identity = await this.credential.check(request);
    if (!identity) {
      // Before anything is looked up once more: a flood of wrong credentials costs as little as it can.
      await this.rateLimit.count(request, http.getResponse<GatehouseResponse>());
      const metadata = this.reflector.get<string | undefined>(CHALLENGE, context.getHandler());
      throw await this.refusal(request, metadata);
    }
    request.identity = identity;
    return true;
  }

  private async refusal(request: AccessRequest, metadata: string | undefined): Promise<Unauthorized> {
    const expiredAt = await this.authenticator.expiredAt(request);
    // Whoever holds what has expired waits for no sign-in: they make another one.
    if (expiredAt) return new Unauthorized(expiredText(expiredAt), EXPIRED_CHALLENGE);
    if (metadata === undefined) return new Unauthorized();
    const presented = request.headers.authorization !== undefined;
    return new Unauthorized(SIGN_IN_FIRST, signInChallenge(`${this.settings.baseUrl}${metadata}`, presented));
  }
}

function expiredText(at: Date): string {
  return `This credential ended at ${at.toISOString()}. Make another one in the app, and put it in the place of this one.`;
}
