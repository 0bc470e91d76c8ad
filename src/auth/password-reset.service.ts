import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { inTheApp } from '../audit/index.js';
import { hashPassword, hashToken } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { InvalidRequest } from '../core/errors/index.js';
import { IdempotencyService } from '../core/idempotency/index.js';
import { addressGroup } from '../core/rate-limit/index.js';
import type { RateReport } from '../core/rate-limit/index.js';
import { AddressProofService } from './address-proof.service.js';
import type { PasswordForgottenInput, PasswordResetInput } from './auth.dto.js';
import { NewPasswordService } from './new-password.service.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { ResetAttemptsService } from './reset-attempts.service.js';
import { ResetLinksService } from './reset-links.service.js';
import { normalizeEmail, normalizePassword } from './sign-in-text.js';

/** Longer than making a token and a mail takes: the time of the response does not tell whether that was done. */
const RESPONSE_MS = 300;

/** A new password for somebody who can read their mail. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly attempts: ResetAttemptsService,
    private readonly links: ResetLinksService,
    private readonly resets: PasswordResetsRepository,
    private readonly newPassword: NewPasswordService,
    private readonly proofs: AddressProofService,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
  ) {}

  /** The response does not tell whether the address has an account, nor whether there is a server to send mail by. */
  async forgot({ email }: PasswordForgottenInput, from: string, report: RateReport): Promise<void> {
    const address = normalizeEmail(email);
    await this.attempts.takeForgotten(address, from, report);
    await Promise.all([this.links.send(address), sleep(RESPONSE_MS)]);
  }

  async reset({ token, password }: PasswordResetInput, from: string, report: RateReport): Promise<void> {
    await this.attempts.takeReset(from, report);
    const hash = hashToken(token);
    const userId = await this.resets.holder(hash);
    if (userId === null) throw unusable();
    const by = inTheApp(userId, from);
    const passwordHash = await hashPassword(normalizePassword(password), addressGroup(from));
    await this.database.transaction(async () => {
      const done = await this.newPassword.set(userId, passwordHash, by, () => this.useLink(hash, userId));
      if (!done) throw unusable();
      await this.idempotency.complete(204, undefined);
    });
  }

  /** The link was mailed: whoever has it reads the mail of the address. */
  private async useLink(hash: Buffer, userId: string): Promise<boolean> {
    if (!(await this.resets.use(hash))) return false;
    await this.proofs.prove(userId, 'mail');
    return true;
  }
}

function unusable(): InvalidRequest {
  return InvalidRequest.at('token', 'is unknown, used or expired: ask for a new link');
}
