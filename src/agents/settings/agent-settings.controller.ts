import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../../core/access/index.js';
import { AgentUsageDto, WithBudgets } from '../../usage/index.js';
import { AgentSettingsDto, AgentSettingsPatch } from './agent-settings.dto.js';
import { AgentSettingsService } from './agent-settings.service.js';

@ApiTags('Agents')
@WithBudgets()
@Controller('v1/workspace/agent-settings')
export class AgentSettingsController {
  constructor(private readonly settings: AgentSettingsService) {}

  /** Get what members' agents may use */
  @Get()
  @Access({ scope: 'agents:read', role: 'member', reach: 'shared' })
  get(@InWorkspace() caller: WorkspaceCaller): Promise<AgentSettingsDto> {
    return this.settings.read(caller);
  }

  /**
   * Change what members' agents may use
   * @remarks Each member's together: runs that apps and agents start for them, and messages to agents. Raising it takes a person.
   */
  @Patch()
  @Access({ scope: 'agents:write', role: 'owner', reach: 'all' })
  change(
    @InWorkspace() caller: WorkspaceCaller,
    @Body() patch: AgentSettingsPatch,
  ): Promise<AgentSettingsDto> {
    return this.settings.change(caller, patch);
  }

  /** Get what your agents have used today and in this month, in UTC */
  @Get('usage')
  @Access({ scope: 'agents:read', role: 'member', reach: 'shared' })
  usage(@InWorkspace() caller: WorkspaceCaller): Promise<AgentUsageDto> {
    return this.settings.usage(caller);
  }
}
