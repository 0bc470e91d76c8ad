import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access } from '../core/access/index.js';
import type { ScriptTemplateList } from './script-template.dto.js';
import { scriptTemplateView } from './script-template.view.js';
import { ScriptTemplates } from './script-templates.js';

@ApiTags('Workspace')
@Controller('v1/workspace/script-templates')
export class ScriptTemplatesController {
  constructor(private readonly templates: ScriptTemplates) {}

  /** List the templates of scripts that extensions add to those of the console */
  @Get()
  @Access({ role: 'member', reach: 'shared' })
  list(): ScriptTemplateList {
    return { items: this.templates.all().map(scriptTemplateView) };
  }
}
