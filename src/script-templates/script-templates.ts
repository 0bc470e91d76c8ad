import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

import { ExtensionProblem } from '../core/extensions/extension-problem.js';
import { Extensions } from '../core/extensions/extensions.js';
import { NamedProviders } from '../core/extensions/named-providers.js';
import { ScriptTemplate, type ScriptTemplateProvider } from './script-template.js';
import { scriptTemplateProblem } from './script-template-problem.js';

export interface KnownTemplate {
  name: string;
  template: ScriptTemplateProvider;
}

/** The templates of scripts that extensions add. Complete once the modules are initialised. */
@Injectable()
export class ScriptTemplates implements OnModuleInit {
  private templates: readonly KnownTemplate[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly named: NamedProviders,
    private readonly extensions: Extensions,
  ) {}

  onModuleInit(): void {
    const providers = this.discovery.getProviders({ metadataKey: ScriptTemplate.KEY });
    const nameOf = (provider: (typeof providers)[number]): unknown =>
      this.discovery.getMetadataByDecorator(ScriptTemplate, provider);
    this.named.find<ScriptTemplateProvider>('script template', { providers, nameOf, methods: [] });
    this.templates = providers
      .map((provider) => {
        const name = nameOf(provider) as string;
        const template = provider.instance as ScriptTemplateProvider;
        const problem = scriptTemplateProblem(template);
        if (problem === null) return { name, template };
        const { reference = '' } = this.extensions.ownerOf(provider.host) ?? {};
        throw new ExtensionProblem(reference, `the script template "${name}" ${problem}.`);
      })
      .sort((one, other) => one.name.localeCompare(other.name, 'en'));
  }

  all(): readonly KnownTemplate[] {
    return this.templates;
  }
}
