import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';

import { ConsoleMiddleware } from './console.middleware.js';

/** The web app, beside the interface that it is made for. */
@Module({})
export class ConsoleModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(ConsoleMiddleware).forRoutes('{*path}');
  }
}
