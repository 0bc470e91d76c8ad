import { Injectable } from '@nestjs/common';

import type { Person } from '../../core/access/index.js';
import { MasterKey } from '../../core/crypto/index.js';
import { Conflict } from '../../core/errors/index.js';
import { newTotpSecret, secretText, stepOfCode, totpUri } from './one-time-codes.js';
import { RelyingParty } from './relying-party.js';
import type { AuthenticatorOfferDto } from './second-factors.dto.js';
import { TOTP_PURPOSE } from './totp-resealing.js';
import type { TotpSecret } from './totp-secret.entity.js';
import { TotpSecretsRepository } from './totp-secrets.repository.js';

/** Apps for codes. Each code is good once. */
@Injectable()
export class TotpService {
  constructor(
    private readonly secrets: TotpSecretsRepository,
    private readonly masterKey: MasterKey,
    private readonly party: RelyingParty,
  ) {}

  /** @throws Conflict where the person has one that counts */
  async begin({ id, email }: Person): Promise<AuthenticatorOfferDto> {
    const secret = newTotpSecret();
    if (!(await this.secrets.begin(id, this.masterKey.encrypt(TOTP_PURPOSE, secret, id)))) {
      throw new Conflict('The account has an app for codes. Remove it first.');
    }
    return { secret: secretText(secret), uri: totpUri(secret, this.party.name, email) };
  }

  find(userId: string): Promise<TotpSecret | null> {
    return this.secrets.find(userId);
  }

  /** False: there is none that counts. */
  remove(userId: string): Promise<boolean> {
    return this.secrets.delete(userId);
  }

  isSetUp(userId: string): Promise<boolean> {
    return this.secrets.isConfirmed(userId);
  }

  /** Uses a code of the app that is being set up, which counts from then on. False: it is wrong. */
  async acceptFirst(userId: string, code: string): Promise<boolean> {
    if (!(await this.use(userId, code, true))) return false;
    await this.secrets.confirm(userId);
    return true;
  }

  /** Uses a code of the app that counts. */
  accept(userId: string, code: string): Promise<boolean> {
    return this.use(userId, code, false);
  }

  private async use(userId: string, code: string, isFirst: boolean): Promise<boolean> {
    const found = await this.secrets.find(userId);
    if (!found || (found.confirmedAt === null) !== isFirst) return false;
    const secret = this.masterKey.decrypt(TOTP_PURPOSE, found.sealed, userId);
    const step = stepOfCode(secret, code);
    return step !== null && this.secrets.use(userId, step);
  }
}
