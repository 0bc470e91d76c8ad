import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../../core/access/index.js';
import { PageQuery } from '../../core/http/index.js';
import { TeamMembersService } from './team-members.service.js';
import { TeamDto, TeamInput, TeamPage, TeamPatch } from './team.dto.js';
import { TeamsService } from './teams.service.js';

@ApiTags('Teams')
@Controller('v1/workspace/teams')
export class TeamsController {
  constructor(
    private readonly teams: TeamsService,
    private readonly teamMembers: TeamMembersService,
  ) {}

  /** List the teams, newest first */
  @Get()
  @Access({ scope: 'workspace.teams:read', role: 'member', reach: 'shared' })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<TeamPage> {
    return this.teams.list(caller.workspace.id, query);
  }

  /**
   * Make a team
   * @remarks Nobody is in it yet.
   */
  @Post()
  @Access({ scope: 'workspace.teams:write', role: 'admin', reach: 'all' })
  create(@InWorkspace() caller: WorkspaceCaller, @Body() input: TeamInput): Promise<TeamDto> {
    return this.teams.create(caller, input);
  }

  /** Get a team */
  @Get(':id')
  @Access({ scope: 'workspace.teams:read', role: 'member', reach: 'shared' })
  get(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<TeamDto> {
    return this.teams.get(caller, id);
  }

  /**
   * Rename a team
   * @remarks It takes an owner or admin in person, since people can be put into teams by their names.
   */
  @Patch(':id')
  @Access({ scope: 'workspace.teams:write', role: 'admin', reach: 'all' })
  update(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Body() patch: TeamPatch,
  ): Promise<TeamDto> {
    return this.teams.update(caller, id, patch);
  }

  /**
   * Delete a team
   * @remarks Scripts and open invitations that name it lose it. A script whose last team it was stays with `access: teams`, so that owners and admins alone see it until they open it again. The default team cannot be deleted: 409.
   */
  @Delete(':id')
  @HttpCode(204)
  @Access({ scope: 'workspace.teams:write', role: 'admin', reach: 'all' })
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<void> {
    return this.teams.delete(caller, id);
  }

  /**
   * Put a member into a team
   * @remarks It takes an owner or admin in person: an API key or an agent gets 403. Who is in it already stays in it. Guests cannot be in the default team: 409.
   */
  @Put(':id/members/:userId')
  @Access({ scope: 'workspace.teams:write', role: 'admin', reach: 'all' })
  addMember(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Param('userId') userId: string,
  ): Promise<TeamDto> {
    return this.teamMembers.add(caller, id, userId);
  }

  /**
   * Take a member out of a team
   * @remarks Nobody can be taken out of the default team: 409.
   */
  @Delete(':id/members/:userId')
  @HttpCode(204)
  @Access({ scope: 'workspace.teams:write', role: 'admin', reach: 'all' })
  removeMember(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Param('userId') userId: string,
  ): Promise<void> {
    return this.teamMembers.remove(caller, id, userId);
  }
}
