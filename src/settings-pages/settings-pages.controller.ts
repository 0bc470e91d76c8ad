import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { settingsPageView } from './settings-page.view.js';
import type { SettingsPageList } from './settings-page.dto.js';
import { SettingsPages } from './settings-pages.js';

@ApiTags('Workspace')
@Controller('v1/workspace/settings-pages')
export class SettingsPagesController {
  constructor(private readonly pages: SettingsPages) {}

  /**
   * List the pages that extensions add to the settings of the console
   * @remarks Those all of whose routes the caller may use.
   */
  @Get()
  @Access({ role: 'guest', reach: 'shared' })
  list(@InWorkspace() caller: WorkspaceCaller): SettingsPageList {
    return { items: this.pages.for(caller).map(settingsPageView) };
  }
}
