import { Injectable } from '@nestjs/common';

import { AuditTrail, inTheApp } from '../../audit/index.js';
import { Database } from '../../core/database/index.js';
import { IdempotencyService } from '../../core/idempotency/index.js';
import { InvitationTokensService } from './invitation-tokens.service.js';
import type { InvitationOfferDto } from './invitation.dto.js';
import { InvitationsRepository, type OfferedInvitation } from './invitations.repository.js';

/** What the holder of a link does with an invitation, short of accepting it. */
@Injectable()
export class InvitationRepliesService {
  constructor(
    private readonly tokens: InvitationTokensService,
    private readonly invitations: InvitationsRepository,
    private readonly audit: AuditTrail,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
  ) {}

  async get(token: string, address: string): Promise<InvitationOfferDto> {
    return present(await this.tokens.open(token, address));
  }

  async decline(token: string, address: string): Promise<InvitationOfferDto> {
    const invitation = await this.tokens.open(token, address);
    const { id, workspaceId, email } = invitation;
    await this.database.transaction(async () => {
      if (!(await this.invitations.decline(id))) throw this.tokens.closed();
      const target = { type: 'invitation', id };
      await this.audit.record(workspaceId, inTheApp(null), 'invitation.declined', target, { email });
      await this.idempotency.complete(200, present(invitation));
    });
    return present(invitation);
  }
}

function present(row: OfferedInvitation): InvitationOfferDto {
  return {
    workspace: { name: row.workspace.name },
    email: row.email,
    role: row.role ?? 'member',
    invitedBy: row.inviter?.name ?? null,
    expiresAt: row.expiresAt.toISOString(),
    hasAccount: row.userId !== null,
  };
}
