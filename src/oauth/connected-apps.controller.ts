import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, CalledBy, type Caller } from '../core/access/index.js';
import { PageQuery } from '../core/http/index.js';
import { AgentUsageDto, WithBudgets } from '../usage/index.js';
import { ConnectedAppPage, ConnectedAppPatch } from './connected-app.dto.js';
import { ConnectedAppsService } from './connected-apps.service.js';

@ApiTags('Account')
@WithBudgets()
@Controller('v1/account/apps')
export class ConnectedAppsController {
  constructor(private readonly apps: ConnectedAppsService) {}

  /** List the apps that act for oneself, newest first */
  @Get()
  @Access('session')
  list(@CalledBy() caller: Caller, @Query() query: PageQuery): Promise<ConnectedAppPage> {
    return this.apps.list(caller.person!.id, query);
  }

  /**
   * Change what may be used through an app
   * @remarks Runs, and messages to agents with their tokens and cost, by day and month of UTC. At a limit the app is refused, in words.
   */
  @Patch(':id')
  @HttpCode(204)
  @Access('session')
  change(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Body() patch: ConnectedAppPatch,
  ): Promise<void> {
    return this.apps.change(id, patch, caller);
  }

  /** Get what was used through an app today and in this month, in UTC */
  @Get(':id/usage')
  @Access('session')
  usage(@CalledBy() caller: Caller, @Param('id') id: string): Promise<AgentUsageDto> {
    return this.apps.usage(id, caller.person!.id);
  }

  /**
   * Disconnect an app
   * @remarks Effective at once: its tokens open nothing any more, and the streams that it follows end.
   */
  @Delete(':id')
  @HttpCode(204)
  @Access('session')
  disconnect(@CalledBy() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.apps.disconnect(id, caller);
  }
}
