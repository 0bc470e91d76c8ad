import { Injectable } from '@nestjs/common';

import type { Caller } from '../core/access/index.js';
import { verifyPassword } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { Conflict, InvalidRequest } from '../core/errors/index.js';
import type { ConfirmationInput } from './auth.dto.js';
import { FactorAttemptsService } from './factors/factor-attempts.service.js';
import { FactorChallengesService } from './factors/factor-challenges.service.js';
import { FactorProofService, type PasskeyResponse } from './factors/factor-proof.service.js';
import type { PasskeyOptionsDto } from './factors/second-factors.dto.js';
import { SessionsService } from './sessions.service.js';
import { normalizePassword } from './sign-in-text.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/**
 * Somebody who is signed in shows once more who they are, as proof that nobody else has taken over their browser: by a
 * passkey, or by the password, with a code where the account has a second factor.
 */
@Injectable()
export class ConfirmationService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly challenges: FactorChallengesService,
    private readonly attempts: FactorAttemptsService,
    private readonly proofs: FactorProofService,
    private readonly database: Database,
  ) {}

  /** `secret` is for the browser's cookie. @throws Conflict where the account has no passkey */
  async begin(caller: Caller): Promise<{ secret: string; begun: PasskeyOptionsDto }> {
    const userId = caller.person!.id;
    const secret = await this.challenges.begin('confirmation', { userId });
    const options = await this.proofs.passkeyOptions(userId, secret);
    if (!options) throw new Conflict('The account has no passkey.');
    return { secret: secret.text, begun: { options } };
  }

  /** @throws InvalidRequest where something of it is wrong or missing */
  async confirm(caller: Caller, input: ConfirmationInput, cookie: string | null): Promise<void> {
    const user = await this.users.find(caller.person!.id);
    if (!user) throw wrongPassword();
    if (input.passkey != null) await this.byPasskey(caller, input.passkey, cookie);
    else await this.byPassword(caller, user, input);
    if (user.secondFactor) await this.attempts.codeWasRight(user.id);
  }

  private async byPasskey(caller: Caller, response: PasskeyResponse, cookie: string | null): Promise<void> {
    const { id } = caller.person!;
    const challenge = await this.challenges.findOf(id, cookie, 'confirmation');
    await this.database.transaction(async () => {
      await this.proofs.usePasskey(response, challenge.secret, id);
      if (!(await this.challenges.take(challenge))) throw InvalidRequest.at('passkey', 'was used already');
      await this.sessions.confirmProven(caller);
    });
  }

  private async byPassword(caller: Caller, user: User, { password, code }: ConfirmationInput): Promise<void> {
    if (password == null) throw InvalidRequest.at('password', 'is missing');
    const stored = user.passwordHash;
    if (!(await verifyPassword(stored, normalizePassword(password), user.id))) throw wrongPassword();
    await this.database.transaction(async () => {
      if (user.secondFactor) {
        if (code == null) throw InvalidRequest.at('code', 'is missing: the account has a second factor');
        await this.proofs.useCode(user, code);
      }
      if (!(await this.sessions.confirm(caller, stored!))) throw wrongPassword();
    });
  }
}

function wrongPassword(): InvalidRequest {
  return InvalidRequest.at('password', 'is not your password');
}
