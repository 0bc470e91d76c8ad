import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { WorkspaceUsageDto } from './usage.dto.js';
import { UsageService } from './usage.service.js';

@ApiTags('Workspace')
@Controller('v1/workspace/usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  /**
   * Get what the workspace has used in this period, and its limits
   * @remarks A limit that is reached refuses more with 403 `quota_exceeded`; runs of schedules and triggers fail, saying so. `eachRun` limits what a single run may use: a version that asks for more is refused, and so is its start where the plan allowed more before. The operator sets the limits.
   */
  @Get()
  @Access({ scope: 'workspace.usage:read', role: 'member', reach: 'shared' })
  get(@InWorkspace() caller: WorkspaceCaller): Promise<WorkspaceUsageDto> {
    return this.usage.report(caller);
  }
}
