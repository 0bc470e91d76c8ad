import { Injectable } from '@nestjs/common';

import { type AuditActor, inTheApp } from '../audit/index.js';
import { Database } from '../core/database/index.js';
import { MailService } from '../core/mail/index.js';
import { AccountAuditService } from './account-audit.service.js';
import { CredentialEndingService } from './credential-ending.service.js';
import { credentialsEndedMail } from './credentials-ended-mail.js';
import { FactorStateService } from './factors/factor-state.service.js';
import { UsersRepository } from './users.repository.js';

/**
 * A link that did not come by mail may have been used by somebody else than the owner of the address. Once a person
 * shows that the address is theirs, nothing made before opens the account any more.
 */
@Injectable()
export class AddressProofService {
  constructor(
    private readonly users: UsersRepository,
    private readonly credentials: CredentialEndingService,
    private readonly factors: FactorStateService,
    private readonly audit: AccountAuditService,
    private readonly mails: MailService,
    private readonly database: Database,
  ) {}

  /**
   * The person has just shown it. Part of the surrounding transaction, before it lets them in.
   *
   * @param by `mail`, or the id of a way to sign in
   * @param vouching who says it for them, where it is not the person
   * @returns false where it was known before, and nothing was ended
   */
  prove(userId: string, by: string, vouching: AuditActor | null = null): Promise<boolean> {
    return this.database.transaction(async () => {
      const { email, emailProvenAt, passwordHash, secondFactor } = (await this.users.find(userId))!;
      if (emailProvenAt !== null || !(await this.users.prove(userId))) return false;
      const ended = {
        password: passwordHash !== null,
        secondFactor,
        ...(await this.credentials.endAll(userId)),
      };
      await this.factors.removeAll(userId);
      await this.users.settleProof(userId);
      await this.audit.record({
        userId,
        by: vouching ?? inTheApp(userId),
        action: 'user.credentials_ended',
        target: { type: 'user', id: userId },
        details: { by, ...ended },
      });
      await this.mails.queue(credentialsEndedMail(email, ended, vouching === null ? 'person' : 'company'));
      return true;
    });
  }
}
