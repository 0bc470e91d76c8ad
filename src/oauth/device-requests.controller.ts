import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiNotFoundResponse, ApiTags } from '@nestjs/swagger';

import { Access, CalledBy, type Caller, NeedsConfirmation } from '../core/access/index.js';
import { AppDecisionDto, AppRequestDto, DeviceApprovalInput, DeviceCodeInput } from './app-request.dto.js';
import { DeviceRequestsService } from './device-requests.service.js';

@ApiTags('Account')
@ApiNotFoundResponse({ description: 'No device waits with that code.' })
@Controller('v1/account/device-requests')
export class DeviceRequestsController {
  constructor(private readonly requests: DeviceRequestsService) {}

  /**
   * Look up what a device asks for, by the code that it shows
   * @remarks Twenty tries a minute.
   */
  @Post()
  @HttpCode(200)
  @Access('session')
  find(@CalledBy() caller: Caller, @Body() { userCode }: DeviceCodeInput): Promise<AppRequestDto> {
    return this.requests.get(caller, userCode);
  }

  /** Let the device act for oneself in a workspace */
  @Post('approve')
  @HttpCode(200)
  @Access('session')
  @NeedsConfirmation()
  approve(@CalledBy() caller: Caller, @Body() input: DeviceApprovalInput): Promise<AppDecisionDto> {
    return this.requests.approve(caller, input);
  }

  /** Refuse what the device asks for */
  @Post('deny')
  @HttpCode(200)
  @Access('session')
  deny(@CalledBy() caller: Caller, @Body() { userCode }: DeviceCodeInput): Promise<AppDecisionDto> {
    return this.requests.deny(caller, userCode);
  }
}
