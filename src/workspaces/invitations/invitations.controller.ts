import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import {
  Access,
  IN_PERSON,
  InWorkspace,
  NeedsConfirmation,
  type WorkspaceCaller,
} from '../../core/access/index.js';
import { PageQuery } from '../../core/http/index.js';
import { InvitationCreatedDto, InvitationInput, InvitationPage } from './invitation.dto.js';
import { InvitationsService } from './invitations.service.js';

@ApiTags('Invitations')
@Controller('v1/workspace/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  /**
   * List the open invitations, newest first
   * @remarks Those that are not yet accepted, declined or expired. A person must be an owner or admin.
   */
  @Get()
  @Access({ scope: 'workspace.members:read', role: 'admin', reach: 'shared' })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<InvitationPage> {
    return this.invitations.list(caller.workspace.id, query);
  }

  /**
   * Invite a person
   * @remarks The link goes to the address by mail and is good for 7 days; where no mail can be sent, it is in the response, once. A member's address, and one with an open invitation, is a 409. Only an owner invites owners. Apps ask a person to approve `member.invite`; API keys cannot change members.
   */
  @Post()
  @Access({
    scope: 'workspace.members:write',
    role: 'admin',
    kinds: IN_PERSON,
    approvable: 'member.invite',
    reach: 'all',
  })
  @NeedsConfirmation()
  create(
    @InWorkspace() caller: WorkspaceCaller,
    @Body() input: InvitationInput,
  ): Promise<InvitationCreatedDto> {
    return this.invitations.create(caller, input);
  }

  /**
   * Take an open invitation back
   * @remarks Its link opens nothing any more.
   */
  @Delete(':id')
  @HttpCode(204)
  @Access({ scope: 'workspace.members:write', role: 'admin', kinds: IN_PERSON, reach: 'all' })
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<void> {
    return this.invitations.delete(caller, id);
  }
}
