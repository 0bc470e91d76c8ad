import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, CalledBy, type Caller, NeedsConfirmation } from '../core/access/index.js';
import { AppApprovalInput, AppDecisionDto, AppRequestDto } from './app-request.dto.js';
import { AppRequestsService } from './app-requests.service.js';

@ApiTags('Account')
@Controller('v1/account/app-requests')
export class AppRequestsController {
  constructor(private readonly requests: AppRequestsService) {}

  /**
   * Get what an app asks for that wants to be connected
   * @remarks The id is in the address of the page to which the app's sign-in brings the browser.
   */
  @Get(':id')
  @Access('session')
  get(@CalledBy() caller: Caller, @Param('id') id: string): Promise<AppRequestDto> {
    return this.requests.get(caller, id);
  }

  /**
   * Let the app act for oneself in a workspace
   * @remarks Less can be granted than it asks for. The app gets its tokens once the browser has gone on to `redirectTo`.
   */
  @Post(':id/approve')
  @HttpCode(200)
  @Access('session')
  @NeedsConfirmation()
  approve(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Body() input: AppApprovalInput,
  ): Promise<AppDecisionDto> {
    return this.requests.approve(caller, id, input);
  }

  /** Refuse what the app asks for */
  @Post(':id/deny')
  @HttpCode(200)
  @Access('session')
  deny(@CalledBy() caller: Caller, @Param('id') id: string): Promise<AppDecisionDto> {
    return this.requests.deny(caller, id);
  }
}
