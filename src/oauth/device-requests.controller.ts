import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, CalledBy } from '../core/access/access.decorator.js';
import type { Caller } from '../core/access/caller.js';
import { NeedsConfirmation } from '../core/access/confirmation.js';
import { AppApprovalInput, AppDecisionDto, AppRequestDto, DeviceCodeInput } from './app-request.dto.js';
import { DeviceRequestsService } from './device-requests.service.js';

@ApiTags('Account')
@Controller('v1/account/device-requests')
export class DeviceRequestsController {
  constructor(private readonly requests: DeviceRequestsService) {}

  /**
   * Look up what a device asks for, by the code that it shows
   * @remarks Twenty tries a minute. 404 where no device waits with that code.
   */
  @Post()
  @HttpCode(200)
  @Access('session')
  find(@CalledBy() caller: Caller, @Body() { userCode }: DeviceCodeInput): Promise<AppRequestDto> {
    return this.requests.get(caller, userCode);
  }

  /** Let the device act for oneself in a workspace */
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

  /** Refuse what the device asks for */
  @Post(':id/deny')
  @HttpCode(200)
  @Access('session')
  deny(@CalledBy() caller: Caller, @Param('id') id: string): Promise<AppDecisionDto> {
    return this.requests.deny(caller, id);
  }
}
