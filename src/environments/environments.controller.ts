import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { PageQuery } from '../core/http/index.js';
import {
  EnvironmentDetailDto,
  EnvironmentDto,
  EnvironmentInput,
  EnvironmentPage,
  EnvironmentPatch,
} from './environment.dto.js';
import { EnvironmentsService } from './environments.service.js';

@ApiTags('Environments')
@Controller('v1/workspace/environments')
export class EnvironmentsController {
  constructor(private readonly environments: EnvironmentsService) {}

  /**
   * List the environments, newest first
   * @remarks A credential that is bound to an environment sees only that one.
   */
  @Get()
  @Access({ scope: 'workspace.environments:read', role: 'member', reach: 'own' })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<EnvironmentPage> {
    return this.environments.list(caller, query);
  }

  /**
   * Make an environment
   * @remarks In the name of one that was renamed or deleted, a weaker rule than that one had takes an owner or admin in person.
   */
  @Post()
  @Access({ scope: 'workspace.environments:write', role: 'admin', reach: 'all' })
  create(@InWorkspace() caller: WorkspaceCaller, @Body() input: EnvironmentInput): Promise<EnvironmentDto> {
    return this.environments.create(caller, input);
  }

  /** Get an environment by id or name, with what it is used for */
  @Get(':idOrName')
  @Access({ scope: 'workspace.environments:read', role: 'member', reach: 'own' })
  get(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('idOrName') idOrName: string,
  ): Promise<EnvironmentDetailDto> {
    return this.environments.get(caller, idOrName);
  }

  /**
   * Change an environment
   * @remarks A lower `approvalPolicy`, `agentsAllowed: true`, another name and another default take an owner or admin in person: an API key or an agent gets 403.
   */
  @Patch(':idOrName')
  @Access({ scope: 'workspace.environments:write', role: 'admin', reach: 'all' })
  update(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('idOrName') idOrName: string,
    @Body() patch: EnvironmentPatch,
  ): Promise<EnvironmentDto> {
    return this.environments.update(caller, idOrName, patch);
  }

  /**
   * Delete an environment with its secret values
   * @remarks 409 while it is the default, or while it has schedules, triggers, webhook endpoints, bound API keys or runs that are not finished; the message says what holds it.
   */
  @Delete(':idOrName')
  @HttpCode(204)
  @Access({ scope: 'workspace.environments:write', role: 'admin', reach: 'all' })
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('idOrName') idOrName: string): Promise<void> {
    return this.environments.delete(caller, idOrName);
  }
}
