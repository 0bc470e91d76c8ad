import { Controller, Delete, Get, HttpCode } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, CalledBy, type Caller } from '../core/access/index.js';
import { PersonalTokensService } from './personal-tokens.service.js';
import { UserMeDto } from './user.dto.js';
import { UsersService } from './users.service.js';

/** What a personal access token can ask about itself. Where tokens are switched off, these routes do not exist. */
@ApiTags('Account')
@Controller('v1/user')
export class UserController {
  constructor(
    private readonly users: UsersService,
    private readonly tokens: PersonalTokensService,
  ) {}

  /** The person whose token this is */
  @Get('me')
  @Access('personal_token')
  me(@CalledBy() caller: Caller): Promise<UserMeDto> {
    return this.users.me(caller);
  }

  /**
   * Revoke the token of this request
   * @remarks Effective at once. Other tokens are unaffected.
   */
  @Delete('token')
  @HttpCode(204)
  @Access('personal_token')
  revoke(@CalledBy() caller: Caller): Promise<void> {
    return this.tokens.revokeOwn(caller);
  }
}
