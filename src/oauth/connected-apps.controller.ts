import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, CalledBy, type Caller } from '../core/access/index.js';
import { PageQuery } from '../core/http/index.js';
import { ConnectedAppPage } from './connected-app.dto.js';
import { ConnectedAppsService } from './connected-apps.service.js';

@ApiTags('Account')
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
