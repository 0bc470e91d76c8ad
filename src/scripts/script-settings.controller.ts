import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { ScriptSettingsDto, ScriptSettingsPatch } from './script-settings.dto.js';
import { ScriptSettingsService } from './script-settings.service.js';

@ApiTags('Scripts')
@Controller('v1/workspace/script-settings')
export class ScriptSettingsController {
  constructor(private readonly settings: ScriptSettingsService) {}

  /** Read the workspace's settings for scripts */
  @Get()
  @Access({ scope: 'scripts:read', role: 'member', reach: 'shared' })
  read(@InWorkspace() caller: WorkspaceCaller): Promise<ScriptSettingsDto> {
    return this.settings.read(caller);
  }

  /**
   * Change the workspace's settings for scripts
   * @remarks Switching `publishNeedsSecondPerson` off takes an owner or admin in person: 403 for API keys and agents.
   */
  @Patch()
  @Access({ scope: 'scripts:write', role: 'admin', reach: 'all' })
  change(
    @InWorkspace() caller: WorkspaceCaller,
    @Body() patch: ScriptSettingsPatch,
  ): Promise<ScriptSettingsDto> {
    return this.settings.change(caller, patch);
  }
}
