import { Global, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';

import { CauseMiddleware } from './cause.middleware.js';
import { Causes } from './causes.js';
import { RunTokens } from './run-tokens.js';

/** Which run is behind a request, so that chains of triggers are followed through the API. */
@Global()
@Module({ providers: [Causes, RunTokens], exports: [Causes, RunTokens] })
export class CausesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(CauseMiddleware).forRoutes('{*path}');
  }
}
