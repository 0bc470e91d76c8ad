import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../../audit/index.js';
import { normalizeEmail, CredentialLockService } from '../../auth/index.js';
import type { WorkspaceCaller } from '../../core/access/index.js';
import { hashToken, isId, newId, randomText } from '../../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../../core/database/index.js';
import { Conflict, NotFound } from '../../core/errors/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { assertMayChange, assertMayGive } from '../members/member-rules.js';
import { MembersService } from '../members/members.service.js';
import { TeamsRepository } from '../teams/teams.repository.js';
import { InvitationLinksService } from './invitation-links.service.js';
import { INVITATION_TOKEN_LENGTH } from './invitation-token.js';
import { joinedTeams } from './invitation-teams.js';
import type { InvitationCreatedDto, InvitationDto, InvitationInput } from './invitation.dto.js';
import { type InvitationRow, InvitationsRepository } from './invitations.repository.js';

const INVITATION_DAYS = 7;

/** Asks people to join a workspace. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly members: MembersService,
    private readonly teams: TeamsRepository,
    private readonly links: InvitationLinksService,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly credentials: CredentialLockService,
    private readonly database: Database,
  ) {}

  /** The open ones: neither accepted, declined nor expired. */
  list(workspaceId: string, request: PageRequest): Promise<Page<InvitationDto>> {
    const fetch = (after: string | null, count: number) => this.invitations.list(workspaceId, after, count);
    return keysetPage(request, { list: 'invitations', filters: { workspaceId } }, fetch, present);
  }

  /** Whether somebody with that address could accept one. */
  isInvited(email: string): Promise<boolean> {
    return this.invitations.isInvited(normalizeEmail(email));
  }

  /**
   * The link leaves in a mail once the surrounding transaction is committed; it is returned only where there is no mail.
   *
   * @param grantId of the app that asked for it, with which it ends
   * @throws Forbidden where an owner is to be invited by somebody else; Conflict for a member or an open invitation
   */
  create(
    caller: WorkspaceCaller,
    input: InvitationInput,
    grantId: string | null = null,
  ): Promise<InvitationCreatedDto> {
    const { id: workspaceId } = caller.workspace;
    const email = normalizeEmail(input.email);
    const role = input.role ?? null;
    assertMayChange(caller.role, [role ?? 'member']);
    assertMayGive(caller, role ?? 'member', 'member.invite');
    const token = randomText(INVITATION_TOKEN_LENGTH);
    const id = newId('invitation');
    return this.database.transaction(async () => {
      await this.members.lock(workspaceId);
      await this.credentials.assertOpen(caller);
      const named = input.teamIds ?? [];
      const teamIds = joinedTeams(named, await this.teams.hold(workspaceId, named), role === 'guest');
      if (await this.members.includesAddress(workspaceId, email)) throw taken(email, 'is a member already');
      await this.invitations.deleteClosed(workspaceId, email);
      const invitedBy = caller.person?.id ?? null;
      const made = { id, workspaceId, email, role, teamIds, tokenHash: hashToken(token), invitedBy, grantId };
      const row = await this.invitations.insert({ ...made, mailed: this.links.mailed }, INVITATION_DAYS);
      if (!row) throw taken(email, 'has an open invitation already');
      const target = { type: 'invitation', id };
      await this.audit.record(workspaceId, caller, 'invitation.created', target, { email, role, teamIds });
      await this.outbox.add({
        workspaceId,
        environmentId: null,
        type: 'workspace.invitation.created',
        data: { invitationId: id, email, role },
      });
      return { ...present(row), ...(await this.links.send(caller, row, token)) };
    });
  }

  /** Its link opens nothing any more. */
  delete(caller: WorkspaceCaller, id: string): Promise<void> {
    const { id: workspaceId } = caller.workspace;
    return this.database.transaction(async () => {
      const email = isId('invitation', id) ? await this.invitations.delete(workspaceId, id) : null;
      if (email === null) throw new NotFound('invitation');
      const target = { type: 'invitation', id };
      await this.audit.record(workspaceId, caller, 'invitation.deleted', target, { email });
    });
  }
}

function taken(email: string, message: string): Conflict {
  return new Conflict(`${email} ${message}.`, [{ path: 'email', message }]);
}

function present({ id, email, role, teamIds, expiresAt, createdAt }: InvitationRow): InvitationDto {
  return { id, email, role, teamIds, expiresAt: expiresAt.toISOString(), createdAt: createdAt.toISOString() };
}
