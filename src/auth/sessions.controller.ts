import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, CalledBy, type Caller } from '../core/access/index.js';
import { PageQuery } from '../core/http/index.js';
import { OwnSessionsService } from './own-sessions.service.js';
import { SessionPage } from './session.dto.js';

@ApiTags('Account')
@Controller('v1/account/sessions')
export class SessionsController {
  constructor(private readonly sessions: OwnSessionsService) {}

  /** List where one is signed in, newest first */
  @Get()
  @Access('session')
  list(@CalledBy() caller: Caller, @Query() query: PageQuery): Promise<SessionPage> {
    return this.sessions.list(caller, query);
  }

  /**
   * End one of one's sessions
   * @remarks Effective at once. Tokens that were made in it stay.
   */
  @Delete(':id')
  @HttpCode(204)
  @Access('session')
  end(@CalledBy() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.sessions.end(caller, id);
  }

  /** End all of one's sessions but this one */
  @Delete()
  @HttpCode(204)
  @Access('session')
  endOthers(@CalledBy() caller: Caller): Promise<void> {
    return this.sessions.endOthers(caller);
  }
}
