import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { Unauthorized } from '../../core/errors/index.js';
import type { RateReport } from '../../core/rate-limit/index.js';
import { AccountAuditService } from '../account-audit.service.js';
import { SessionsService, type SignInPlace } from '../sessions.service.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { FactorAttemptsService } from './factor-attempts.service.js';
import { FactorChallengesService, type OpenChallenge } from './factor-challenges.service.js';
import { FactorProofService, type PasskeyResponse } from './factor-proof.service.js';
import { RelyingParty } from './relying-party.js';
import type { PasskeyOptionsDto } from './second-factors.dto.js';

/** Signing in with a passkey alone: it says who it is, and that its device has made sure of them. */
@Injectable()
export class PasskeySignInService {
  constructor(
    private readonly challenges: FactorChallengesService,
    private readonly attempts: FactorAttemptsService,
    private readonly proofs: FactorProofService,
    private readonly party: RelyingParty,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly audit: AccountAuditService,
    private readonly database: Database,
  ) {}

  /** `secret` is for the browser's cookie. @throws RateLimited */
  async begin(address: string, report: RateReport): Promise<{ secret: string; begun: PasskeyOptionsDto }> {
    await this.attempts.takePasskey(address, report);
    const secret = await this.challenges.begin('passkey');
    const options = { ...(await this.party.requestOptions(null, secret)) };
    return { secret: secret.text, begun: { options } };
  }

  /** @throws Unauthorized, InvalidRequest, RateLimited */
  async finish(
    cookie: string | null,
    response: PasskeyResponse,
    place: SignInPlace,
    report: RateReport,
  ): Promise<{ token: string; user: User }> {
    await this.attempts.takePasskey(place.address, report);
    const challenge = await this.challenges.find(cookie, 'passkey');
    if (!challenge) throw refused();
    return this.database.transaction(() => this.enter(challenge, response, place));
  }

  private async enter(
    challenge: OpenChallenge,
    response: PasskeyResponse,
    place: SignInPlace,
  ): Promise<{ token: string; user: User }> {
    const { userId } = await this.proofs.usePasskey(response, challenge.secret, null);
    if (!(await this.challenges.take(challenge))) throw refused();
    const user = await this.users.find(userId);
    // Who has no password signs in at a company's provider, which knows when they have left.
    if (user?.passwordHash == null) throw refused();
    const { id, passwordHash } = user;
    const token = await this.sessions.open(id, { passwordHash, secondFactor: true }, place);
    if (token === null) throw refused();
    await this.audit.recordSignIn(id, 'passkey', place);
    return { token, user };
  }
}

function refused(): Unauthorized {
  return new Unauthorized('This passkey opens no account here, or was asked for too long ago.');
}
