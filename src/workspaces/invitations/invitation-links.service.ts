import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { Settings } from '../../core/config/index.js';
import { MailService } from '../../core/mail/index.js';
import { invitationMail } from './invitation-mail.js';
import type { InvitationRow } from './invitations.repository.js';

/** Brings the links of invitations to whom they are for. */
@Injectable()
export class InvitationLinksService {
  constructor(
    private readonly mails: MailService,
    private readonly settings: Settings,
  ) {}

  /** Whether they go by mail, and so show that an address is the person's own. */
  get mailed(): boolean {
    return this.mails.enabled;
  }

  /** By mail, once the surrounding transaction is committed; the link itself only where there is none. */
  async send(
    { workspace, person }: WorkspaceCaller,
    { email, expiresAt }: InvitationRow,
    token: string,
  ): Promise<{ link?: string }> {
    const link = `${this.settings.baseUrl}/invitations/${token}`;
    if (!this.mailed) return { link };
    const inviter = person?.name ?? null;
    const mail = invitationMail({ to: email, workspace: workspace.name, inviter, link, expiresAt });
    await this.mails.queue({ ...mail, workspaceId: workspace.id });
    return {};
  }
}
