import { type DynamicModule, Global, Module } from '@nestjs/common';

import { Settings } from './settings.js';

@Global()
@Module({})
export class ConfigModule {
  static of(settings: Settings): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Settings, useValue: settings }],
      exports: [Settings],
    };
  }
}
