import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { Extensions } from './extensions.js';
import type { LoadedExtension } from './loaded-extension.js';
import { NamedProviders } from './named-providers.js';

/** Which extensions there are. Their modules are imported by the application's own. */
@Global()
@Module({})
export class ExtensionsModule {
  static of(extensions: readonly LoadedExtension[]): DynamicModule {
    return {
      module: ExtensionsModule,
      imports: [DiscoveryModule],
      providers: [{ provide: Extensions, useValue: new Extensions(extensions) }, NamedProviders],
      exports: [Extensions, NamedProviders],
    };
  }
}
