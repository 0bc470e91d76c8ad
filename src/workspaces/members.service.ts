import { Injectable } from '@nestjs/common';

import { type Page, type PageRequest, keysetPage } from '../core/database/page.js';
import type { InvitationDto } from './invitation.dto.js';
import type { MemberDto } from './member.dto.js';
import { type InvitationRow, type MemberRow, MembersRepository } from './members.repository.js';

/** Who is in a workspace, and who has been asked to join. */
@Injectable()
export class Members {
  constructor(private readonly members: MembersRepository) {}

  list(workspaceId: string, request: PageRequest): Promise<Page<MemberDto>> {
    const fetch = (after: string | null, count: number) => this.members.list(workspaceId, after, count);
    return keysetPage(request, { list: 'members', filters: { workspaceId } }, fetch, presentMember);
  }

  listInvitations(workspaceId: string, request: PageRequest): Promise<Page<InvitationDto>> {
    const fetch = (after: string | null, count: number) =>
      this.members.listInvitations(workspaceId, after, count);
    return keysetPage(request, { list: 'invitations', filters: { workspaceId } }, fetch, presentInvitation);
  }
}

function presentMember({ id, userId, name, email, role, joinedAt }: MemberRow): MemberDto {
  return { id, userId, name, email, role, joinedAt: joinedAt.toISOString() };
}

function presentInvitation({ id, email, role, teamIds, expiresAt, createdAt }: InvitationRow): InvitationDto {
  return { id, email, role, teamIds, expiresAt: expiresAt.toISOString(), createdAt: createdAt.toISOString() };
}
