import { Injectable } from '@nestjs/common';

import { RateLimitInterceptor } from '../rate-limit/index.js';
import type { AccessRequest } from './access-request.js';
import { Authenticator } from './authenticator.js';
import { holderOf } from './credential-holder.js';
import { CredentialUseRecorder } from './credential-use-recorder.js';
import type { Identity } from './identity.js';
import { SameOriginGuard } from './same-origin.guard.js';

const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Checks a request's credential once, and says whom the request counts for. */
@Injectable()
export class CredentialCheck {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly rateLimit: RateLimitInterceptor,
    private readonly use: CredentialUseRecorder,
    private readonly sameOrigin: SameOriginGuard,
  ) {}

  /**
   * null: there is no good credential, and the attempt counts for the address.
   *
   * @throws Forbidden where a page of another site asks for a change with a session
   */
  async check(request: AccessRequest): Promise<Identity | null> {
    const found = await this.authenticator.identify(request);
    if (!found) {
      this.rateLimit.countForAddress(request);
      return null;
    }
    const identity = { ...found, caller: { ...found.caller, address: request.ip } };
    const { caller, strategy, finding } = identity;
    const holder = holderOf(caller, finding.workspace?.id);
    this.rateLimit.countForCredential(request, caller.credentialId, holder);
    request.caller = caller;
    request.owner = holder.id;
    this.use.note(strategy, caller.credentialId, request.ip);
    if (caller.kind === 'session' && CHANGES.has(request.method)) this.sameOrigin.check(request);
    return identity;
  }

  /** For a path that no route takes: a request without a credential costs nothing there. */
  async checkPresented(request: AccessRequest): Promise<void> {
    if (this.authenticator.isPresented(request)) await this.check(request);
  }
}
