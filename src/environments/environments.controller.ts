import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace } from '../core/access/access.decorator.js';
import type { WorkspaceCaller } from '../core/access/caller.js';
import { PageQuery } from '../core/http/page-query.dto.js';
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
   * @remarks An API key that is bound to an environment sees only that one.
   */
  @Get()
  @Access({ scope: 'workspace.environments:read', role: 'member' })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<EnvironmentPage> {
    return this.environments.list(caller, query);
  }

  /** Make an environment */
  @Post()
  @Access({ scope: 'workspace.environments:write', role: 'admin', shared: true })
  create(@InWorkspace() caller: WorkspaceCaller, @Body() input: EnvironmentInput): Promise<EnvironmentDto> {
    return this.environments.create(caller, input);
  }

  /** Get an environment by id or name, with what it is used for */
  @Get(':idOrName')
  @Access({ scope: 'workspace.environments:read', role: 'member' })
  get(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('idOrName') idOrName: string,
  ): Promise<EnvironmentDetailDto> {
    return this.environments.get(caller, idOrName);
  }

  /**
   * Change an environment
   * @remarks A lower `approvalPolicy` and `agentsAllowed: true` take an owner or admin in person: an API key or an agent gets 403.
   */
  @Patch(':idOrName')
  @Access({ scope: 'workspace.environments:write', role: 'admin', shared: true })
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
  @Access({ scope: 'workspace.environments:write', role: 'admin', shared: true })
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('idOrName') idOrName: string): Promise<void> {
    return this.environments.delete(caller, idOrName);
  }
}
