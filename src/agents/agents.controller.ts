import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { PageQuery } from '../core/http/index.js';
import { AgentUsageDto, WithBudgets } from '../usage/index.js';
import { AgentDto, AgentInput, AgentPage, AgentPatch } from './agent.dto.js';
import { AgentsService } from './agents.service.js';

@ApiTags('Agents')
@WithBudgets()
@Controller('v1/agents')
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  /** List the agents, newest first */
  @Get()
  @Access({ scope: 'agents:read', role: 'member', reach: 'shared' })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<AgentPage> {
    return this.agents.list(caller, query);
  }

  /**
   * Make an agent
   * @remarks It answers in a chat with the language model that the operator set, and runs the scripts that you name.
   */
  @Post()
  @Access({ scope: 'agents:write', role: 'member', reach: 'all' })
  create(@InWorkspace() caller: WorkspaceCaller, @Body() input: AgentInput): Promise<AgentDto> {
    return this.agents.create(caller, input);
  }

  /** Get an agent by its slug */
  @Get(':agent')
  @Access({ scope: 'agents:read', role: 'member', reach: 'shared' })
  get(@InWorkspace() caller: WorkspaceCaller, @Param('agent') slug: string): Promise<AgentDto> {
    return this.agents.get(caller, slug);
  }

  /**
   * Get what was used by an agent today and in this month, in UTC
   * @remarks A budget that is used up refuses more with 403 `quota_exceeded`. Near its end, at 80 %, `notices` say so, as a mail does.
   */
  @Get(':agent/usage')
  @Access({ scope: 'agents:read', role: 'member', reach: 'shared' })
  usage(@InWorkspace() caller: WorkspaceCaller, @Param('agent') slug: string): Promise<AgentUsageDto> {
    return this.agents.usage(caller, slug);
  }

  /** Change an agent */
  @Patch(':agent')
  @Access({ scope: 'agents:write', role: 'member', reach: 'all' })
  change(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('agent') slug: string,
    @Body() patch: AgentPatch,
  ): Promise<AgentDto> {
    return this.agents.change(caller, slug, patch);
  }

  /**
   * Delete an agent
   * @remarks Runs that it started go on, and keep its name.
   */
  @Delete(':agent')
  @HttpCode(204)
  @Access({ scope: 'agents:write', role: 'member', reach: 'all' })
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('agent') slug: string): Promise<void> {
    return this.agents.delete(caller, slug);
  }
}
