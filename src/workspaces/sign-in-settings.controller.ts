import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, NeedsConfirmation, type WorkspaceCaller } from '../core/access/index.js';
import { SignInSettingsDto, SignInSettingsPatch } from './sign-in-settings.dto.js';
import { SignInSettingsService } from './sign-in-settings.service.js';

@ApiTags('Workspace')
@Controller('v1/workspace/sign-in-settings')
export class SignInSettingsController {
  constructor(private readonly settings: SignInSettingsService) {}

  /** Read what the workspace wants of how its people sign in */
  @Get()
  @Access({ scope: 'workspace:read', role: 'member', reach: 'shared' })
  read(@InWorkspace() caller: WorkspaceCaller): Promise<SignInSettingsDto> {
    return this.settings.read(caller);
  }

  /**
   * Change what the workspace wants of how its people sign in
   * @remarks Effective at once, for everybody who is signed in and for every token. Who has no password signs in at their company's provider and is let in. 409 for an owner who wants a second factor of everybody and has none.
   */
  @Patch()
  @Access({ scope: 'workspace:write', role: 'owner', kinds: ['session'], reach: 'all' })
  @NeedsConfirmation()
  change(
    @InWorkspace() caller: WorkspaceCaller,
    @Body() patch: SignInSettingsPatch,
  ): Promise<SignInSettingsDto> {
    return this.settings.change(caller, patch);
  }
}
