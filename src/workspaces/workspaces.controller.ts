import { Body, Controller, Delete, Get, HttpCode, Patch, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, CalledBy, type Caller, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { WorkspaceMakersGuard } from './workspace-makers.guard.js';
import { WorkspaceDto, WorkspaceInput, WorkspacePatch } from './workspace.dto.js';
import { WorkspacesService } from './workspaces.service.js';

@ApiTags('Workspace')
@Controller('v1')
export class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  /**
   * Make a workspace
   * @remarks The person becomes its owner; it begins with the environment `production` and a team of everyone. Unless the instance is open to all, it takes an owner of another workspace. 403 `quota_exceeded` for a person who owns as many as one may here.
   */
  @Post('workspaces')
  @Access('session')
  @UseGuards(WorkspaceMakersGuard)
  create(@CalledBy() caller: Caller, @Body() input: WorkspaceInput): Promise<WorkspaceDto> {
    return this.workspaces.createBy(caller, input);
  }

  /** Get the workspace: the key's own, or the one that `x-workspace` names */
  @Get('workspace')
  @Access({ scope: 'workspace:read', role: 'guest', reach: 'shared' })
  get(@InWorkspace() caller: WorkspaceCaller): WorkspaceDto {
    return this.workspaces.get(caller);
  }

  /** Rename the workspace */
  @Patch('workspace')
  @Access({ scope: 'workspace:write', role: 'owner', reach: 'all' })
  update(@InWorkspace() caller: WorkspaceCaller, @Body() patch: WorkspacePatch): Promise<WorkspaceDto> {
    return this.workspaces.update(caller, patch);
  }

  /**
   * Delete the workspace
   * @remarks For a person alone, not for an app that acts for them. Its API keys and connected apps stop working at once. Personal access tokens work on in other workspaces.
   */
  @Delete('workspace')
  @HttpCode(204)
  @Access({
    scope: 'workspace:write',
    role: 'owner',
    kinds: ['session', 'personal_token'],
    reach: 'all',
  })
  delete(@InWorkspace() caller: WorkspaceCaller): Promise<void> {
    return this.workspaces.delete(caller.workspace, caller);
  }
}
