import { Module } from '@nestjs/common';

import { ScriptTemplates } from './script-templates.js';
import { ScriptTemplatesController } from './script-templates.controller.js';

/** Templates of scripts by extensions, for the console. */
@Module({
  controllers: [ScriptTemplatesController],
  providers: [ScriptTemplates],
})
export class ScriptTemplatesModule {}
