import { Injectable } from '@nestjs/common';

import { UsersRepository } from '../users.repository.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { hashOfRecoveryCode, newRecoveryCode, RECOVERY_CODES } from './recovery-code-text.js';
import { RecoveryCodesRepository } from './recovery-codes.repository.js';
import { TotpSecretsRepository } from './totp-secrets.repository.js';

/** Whether somebody has a second factor, and the recovery codes that come and go with that. */
@Injectable()
export class FactorStateService {
  constructor(
    private readonly users: UsersRepository,
    private readonly secrets: TotpSecretsRepository,
    private readonly passkeys: PasskeysRepository,
    private readonly recoveryCodes: RecoveryCodesRepository,
  ) {}

  /** After a change, in its transaction. Recovery codes that came with the first factor; null where it was not the first. */
  async settle(userId: string): Promise<string[] | null> {
    const had = (await this.users.find(userId))!.secondFactor;
    const has = (await this.secrets.isConfirmed(userId)) || (await this.passkeys.count(userId)) > 0;
    if (has === had) return null;
    await this.users.setSecondFactor(userId, has);
    if (has) return this.newRecoveryCodes(userId);
    await this.recoveryCodes.replace(userId, []);
    return null;
  }

  /** Takes all of them away, in a transaction that has locked the person. */
  async removeAll(userId: string): Promise<void> {
    await this.secrets.deleteAny(userId);
    await this.passkeys.deleteAll(userId);
    await this.recoveryCodes.replace(userId, []);
    await this.users.setSecondFactor(userId, false);
  }

  /** New ones, in place of those that there were. Part of a change. */
  async newRecoveryCodes(userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    await this.recoveryCodes.replace(userId, codes.map(hashOfRecoveryCode));
    return codes;
  }
}
