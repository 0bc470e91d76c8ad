import { Injectable } from '@nestjs/common';

import { Settings } from '../../core/config/index.js';
import { hashToken } from '../../core/crypto/index.js';
import { Forbidden, InvalidRequest } from '../../core/errors/index.js';
import { addressGroup, RateLimiter, type RatePolicy } from '../../core/rate-limit/index.js';
import { isInvitationToken } from './invitation-token.js';
import { InvitationsRepository, type OfferedInvitation } from './invitations.repository.js';

const FAILURES: RatePolicy = { name: 'invitation-failures', perMinute: 60, burst: 60 };

/** Finds the invitation of a link. As with credentials, only failures count against an address. */
@Injectable()
export class InvitationTokensService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly limiter: RateLimiter,
    private readonly settings: Settings,
  ) {}

  /** @throws InvalidRequest when no open invitation has this token; RateLimited for the address that tries too many */
  async open(token: string, address: string): Promise<OfferedInvitation> {
    const found = isInvitationToken(token) ? await this.invitations.findOpen(hashToken(token)) : null;
    if (found) return found;
    if (this.settings.rateLimit > 0) {
      await this.limiter.demand(addressGroup(address), FAILURES, 'Too many invitations that are not open.');
    }
    throw this.closed();
  }

  /** @throws Forbidden where only a provider makes an account for whoever is invited */
  assertMakesAccounts({ email }: OfferedInvitation): void {
    if (this.settings.passwords) return;
    throw new Forbidden(
      `Passwords are off here. Sign in with your company's provider as ${email}, then accept.`,
    );
  }

  closed(): InvalidRequest {
    return InvalidRequest.at(
      'token',
      'is of no open invitation: it was used, declined, taken back or has expired. Ask to be invited again',
    );
  }
}
