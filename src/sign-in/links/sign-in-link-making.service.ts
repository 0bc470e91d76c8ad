import { Injectable } from '@nestjs/common';

import type { AuditActor } from '../../audit/index.js';
import { AccountAuditService } from '../../auth/index.js';
import type { Person } from '../../core/access/index.js';
import { Settings } from '../../core/config/index.js';
import { hashToken, randomText } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import { MailService } from '../../core/mail/index.js';
import { StaffMembersService } from '../../workspaces/index.js';
import { SIGN_IN_TOKEN_LENGTH } from './sign-in-token.js';
import { SignInLinksRepository } from './sign-in-links.repository.js';
import { signInLinkMail } from './sign-in-link-mail.js';

const LINK_SECONDS = 900;

interface MadeLink {
  link: string;
  /** The addresses that are told of it by mail. */
  told: string[];
}

/** Break-glass: the operator lets somebody in who can neither sign in with a password nor at a provider. */
@Injectable()
export class SignInLinkMakingService {
  constructor(
    private readonly links: SignInLinksRepository,
    private readonly members: StaffMembersService,
    private readonly audit: AccountAuditService,
    private readonly mails: MailService,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** The token stands behind `#`, which browsers send to nobody: no log and no proxy learns it. */
  make(person: Person, by: AuditActor): Promise<MadeLink> {
    const token = randomText(SIGN_IN_TOKEN_LENGTH);
    const target = { type: 'user', id: person.id };
    return this.database.transaction(async () => {
      await this.links.replace(hashToken(token), person.id, LINK_SECONDS);
      await this.audit.record({ userId: person.id, by, action: 'user.sign_in_link_created', target });
      const owners = await this.members.ownerAddresses(person.id);
      const told = this.mails.enabled ? [...new Set([...owners, person.email])] : [];
      await this.mails.queue(...told.map((to) => signInLinkMail(to, person.email)));
      return { link: `${this.settings.baseUrl}/sign-in-link#${token}`, told };
    });
  }
}
