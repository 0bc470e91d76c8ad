import { Injectable } from '@nestjs/common';

import { inTheApp } from '../../audit/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import type { User } from '../user.entity.js';
import type { ChallengeSecret } from './challenge-secret.js';
import { FactorNewsService } from './factor-news.service.js';
import { isTotpCode } from './one-time-codes.js';
import type { Passkey } from './passkey.entity.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { hashOfRecoveryCode } from './recovery-code-text.js';
import { RecoveryCodesRepository } from './recovery-codes.repository.js';
import { credentialIdIn, RelyingParty } from './relying-party.js';
import { TotpService } from './totp.service.js';

export type PasskeyResponse = Record<string, unknown>;

/** What people show of their second factors. To be called in the transaction of what follows from it. */
@Injectable()
export class FactorProofService {
  constructor(
    private readonly totp: TotpService,
    private readonly passkeys: PasskeysRepository,
    private readonly recoveryCodes: RecoveryCodesRepository,
    private readonly party: RelyingParty,
    private readonly news: FactorNewsService,
  ) {}

  /**
   * Uses up a code of the person's app, or a recovery code.
   *
   * @throws InvalidRequest
   */
  async useCode(user: User, code: string): Promise<void> {
    if (isTotpCode(code)) {
      if (await this.totp.accept(user.id, code)) return;
      throw InvalidRequest.at('code', 'is wrong, too old, or used already: wait for the next one');
    }
    if (!(await this.recoveryCodes.use(user.id, hashOfRecoveryCode(code)))) {
      throw InvalidRequest.at('code', 'is neither a code of six digits nor a recovery code that is left');
    }
    await this.news.tell(user, inTheApp(user.id), {
      action: 'user.recovery_code_used',
      news: 'recovery_code_used',
      details: { left: await this.recoveryCodes.count(user.id) },
    });
  }

  /**
   * Whose passkey it is that has signed, and of which it is known now that it is there.
   *
   * @param userId whose it has to be; null where a passkey alone says who it is
   * @throws InvalidRequest
   */
  async usePasskey(
    response: PasskeyResponse,
    secret: ChallengeSecret,
    userId: string | null,
  ): Promise<Passkey> {
    const credentialId = credentialIdIn(response);
    const passkey = credentialId && (await this.passkeys.findByCredential(credentialId));
    if (!passkey || (userId !== null && passkey.userId !== userId)) {
      throw InvalidRequest.at('passkey', 'is not one that is known here');
    }
    const count = await this.party.verify(response, secret, passkey);
    if (!(await this.passkeys.use(passkey, count))) {
      throw InvalidRequest.at('passkey', 'was used twice at this moment');
    }
    return passkey;
  }

  /** What a browser asks the person's passkeys for; null where there are none. */
  async passkeyOptions(userId: string, secret: ChallengeSecret): Promise<Record<string, unknown> | null> {
    const known = await this.passkeys.list(userId);
    return known.length === 0 ? null : { ...(await this.party.requestOptions(known, secret)) };
  }

  /** Whether the person has an app for codes. */
  takesCodes(userId: string): Promise<boolean> {
    return this.totp.isSetUp(userId);
  }
}
