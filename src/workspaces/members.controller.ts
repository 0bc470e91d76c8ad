import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace } from '../core/access/access.decorator.js';
import type { WorkspaceCaller } from '../core/access/caller.js';
import { PageQuery } from '../core/http/page-query.dto.js';
import { InvitationPage } from './invitation.dto.js';
import { MemberPage } from './member.dto.js';
import { Members } from './members.service.js';

@ApiTags('Members')
@Controller('v1/workspace')
export class MembersController {
  constructor(private readonly members: Members) {}

  /** List the members, newest first */
  @Get('members')
  @Access({ scope: 'workspace.members:read', role: 'member' })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<MemberPage> {
    return this.members.list(caller.workspace.id, query);
  }

  /**
   * List the open invitations, newest first
   * @remarks Those that are not yet accepted, declined or expired. A person must be an owner or admin.
   */
  @Get('invitations')
  @Access({ scope: 'workspace.members:read', role: 'admin' })
  invitations(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<InvitationPage> {
    return this.members.listInvitations(caller.workspace.id, query);
  }
}
