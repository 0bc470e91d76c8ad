import { Injectable, type OnModuleInit } from '@nestjs/common';

import { NamedProviders } from '../core/extensions/index.js';
import { ScriptTemplate, type ScriptTemplateProvider } from './script-template.js';
import { scriptTemplateProblem } from './script-template-problem.js';

export type KnownTemplate = [name: string, template: ScriptTemplateProvider];

/** The templates of scripts that extensions add. Complete once the modules are initialised. */
@Injectable()
export class ScriptTemplates implements OnModuleInit {
  private templates: readonly KnownTemplate[] = [];

  constructor(private readonly named: NamedProviders) {}

  onModuleInit(): void {
    const found = this.named.find<ScriptTemplateProvider>('script template', {
      decorator: ScriptTemplate,
      methods: [],
      problemOf: scriptTemplateProblem,
    });
    this.templates = [...found].sort(([one], [other]) => one.localeCompare(other, 'en'));
  }

  all(): readonly KnownTemplate[] {
    return this.templates;
  }
}
