import type { MasterKey } from '../../core/crypto/index.js';
import { type MasterKeyUse, SealedByMasterKey } from '../../core/keys/index.js';
import { TotpSecretsRepository } from './totp-secrets.repository.js';

/** The purpose of the key that seals the secrets of apps for codes; the context is the person's id. */
export const TOTP_PURPOSE = 'totp';

/** Seals the secrets of apps for codes with the next master key. */
@SealedByMasterKey()
export class TotpResealing implements MasterKeyUse {
  constructor(private readonly secrets: TotpSecretsRepository) {}

  async reseal(present: MasterKey, next: MasterKey): Promise<void> {
    for (const { userId, sealed } of await this.secrets.lockAll()) {
      const plain = opened(sealed, userId, present);
      if (plain) await this.secrets.replace(userId, next.encrypt(TOTP_PURPOSE, plain, userId));
    }
  }
}

/** null: the next key has sealed it already. */
function opened(sealed: Buffer, userId: string, key: MasterKey): Buffer | null {
  try {
    return key.decrypt(TOTP_PURPOSE, sealed, userId);
  } catch {
    return null;
  }
}
