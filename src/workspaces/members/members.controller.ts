import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import {
  Access,
  IN_PERSON,
  InWorkspace,
  NeedsConfirmation,
  type WorkspaceCaller,
} from '../../core/access/index.js';
import { PageQuery } from '../../core/http/index.js';
import { MemberDto, MemberPage, MemberPatch } from './member.dto.js';
import { MembersService } from './members.service.js';

@ApiTags('Members')
@Controller('v1/workspace/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  /** List the members, newest first */
  @Get()
  @Access({ scope: 'workspace.members:read', role: 'member', reach: 'shared' })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<MemberPage> {
    return this.members.list(caller.workspace.id, query);
  }

  /**
   * Change a member's role
   * @remarks Effective at once. Only an owner makes or demotes owners, and the last owner stays one: 409. Who becomes a guest leaves the default team, and who was one joins it. Apps ask a person to approve `member.role.change`; API keys cannot change members.
   */
  @Patch(':memberId')
  @Access({
    scope: 'workspace.members:write',
    role: 'admin',
    kinds: IN_PERSON,
    approvable: 'member.role.change',
    reach: 'all',
  })
  @NeedsConfirmation()
  update(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('memberId') id: string,
    @Body() { role }: MemberPatch,
  ): Promise<MemberDto> {
    return this.members.changeRole(caller, id, role);
  }

  /**
   * Remove a member, or leave the workspace
   * @remarks Effective at once: the person is out of all its teams, and apps that they connected to it lose their access. It takes an owner or admin, and an owner to remove an owner; everybody may end their own membership. The last owner stays: 409. Apps ask a person to approve `member.remove`; API keys cannot change members.
   */
  @Delete(':memberId')
  @HttpCode(204)
  @Access({
    scope: 'workspace.members:write',
    role: 'guest',
    kinds: IN_PERSON,
    approvable: 'member.remove',
    reach: 'all',
  })
  remove(@InWorkspace() caller: WorkspaceCaller, @Param('memberId') id: string): Promise<void> {
    return this.members.remove(caller, id);
  }
}
