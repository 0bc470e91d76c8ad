import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { ScriptTemplates } from './script-templates.js';
import { ScriptTemplatesController } from './script-templates.controller.js';

/** Templates of scripts by extensions, for the console. */
@Module({
  imports: [DiscoveryModule],
  controllers: [ScriptTemplatesController],
  providers: [ScriptTemplates],
})
export class ScriptTemplatesModule {}
