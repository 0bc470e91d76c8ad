import { Injectable } from '@nestjs/common';

import type { AccessRequest } from './access-request.js';
import { RateLimitInterceptor } from '../rate-limit/rate-limit.interceptor.js';
import { Authenticator } from './authenticator.js';
import { CredentialUse } from './credential-use.js';
import type { Authenticated } from './credentials.repository.js';

/** Judges a request's credential once, and says whom the request is counted for. */
@Injectable()
export class CredentialCheck {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly rateLimit: RateLimitInterceptor,
    private readonly use: CredentialUse,
  ) {}

  /** null: there is no good credential, and the address is to pay for the attempt. */
  async check(request: AccessRequest): Promise<Authenticated | null> {
    const found = await this.authenticator.identify(request);
    if (!found) {
      this.rateLimit.countForAddress(request);
      return null;
    }
    this.rateLimit.countForCredential(request, found.caller.credentialId);
    request.caller = found.caller;
    request.owner = found.caller.credentialId;
    this.use.note(found.caller, request.ip);
    this.authenticator.checkOriginOf(request, found);
    return found;
  }

  /** For an address that is nobody's: whoever sends no credential is told so for nothing. */
  async checkPresented(request: AccessRequest): Promise<void> {
    if (this.authenticator.isPresented(request)) await this.check(request);
  }
}
