import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiNotFoundResponse, ApiTags } from '@nestjs/swagger';

import { Access, CalledBy, type Caller, NeedsConfirmation } from '../core/access/index.js';
import { PageQuery } from '../core/http/index.js';
import { PersonalTokenCreatedDto, PersonalTokenInput, PersonalTokenPage } from './personal-token.dto.js';
import { PersonalTokensGuard } from './personal-tokens.guard.js';
import { PersonalTokensService } from './personal-tokens.service.js';

@ApiTags('Account')
@Controller('v1/account/tokens')
export class PersonalTokensController {
  constructor(private readonly tokens: PersonalTokensService) {}

  /** List one's personal access tokens, newest first */
  @Get()
  @Access('session')
  list(@CalledBy() caller: Caller, @Query() query: PageQuery): Promise<PersonalTokenPage> {
    return this.tokens.list(caller.person!.id, query);
  }

  /**
   * Make a personal access token
   * @remarks The response is the only place where the token is ever shown.
   */
  @Post()
  @Access('session')
  @NeedsConfirmation()
  @UseGuards(PersonalTokensGuard)
  @ApiNotFoundResponse({ description: 'Personal access tokens are switched off here.' })
  create(@CalledBy() caller: Caller, @Body() input: PersonalTokenInput): Promise<PersonalTokenCreatedDto> {
    return this.tokens.create(caller.person!.id, input, caller);
  }

  /**
   * Revoke a personal access token
   * @remarks Effective at once.
   */
  @Delete(':id')
  @HttpCode(204)
  @Access('session')
  revoke(@CalledBy() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.tokens.revoke(caller.person!.id, id, caller);
  }
}
