import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { EmbeddedPageController } from './embedded-page.controller.js';
import { SettingsPagesController } from './settings-pages.controller.js';
import { SettingsPages } from './settings-pages.js';

/** Pages of extensions in the settings of the console: forms that it draws, and pages that it shows in a frame. */
@Module({
  imports: [DiscoveryModule],
  controllers: [EmbeddedPageController, SettingsPagesController],
  providers: [SettingsPages],
})
export class SettingsPagesModule {}
