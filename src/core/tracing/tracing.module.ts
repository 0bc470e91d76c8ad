import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';

import { Tracing } from './tracing.js';

/** Makes the tracing that was begun at the start available to all. */
@Global()
@Module({})
export class TracingModule implements OnApplicationShutdown {
  constructor(private readonly tracing: Tracing) {}

  static of(tracing: Tracing): DynamicModule {
    return {
      module: TracingModule,
      providers: [{ provide: Tracing, useValue: tracing }],
      exports: [Tracing],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.tracing.close();
  }
}
