import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule } from '@nestjs/core';

import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { RateLimitInterceptor } from '../rate-limit/rate-limit.interceptor.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { BodyInterceptor } from './body.interceptor.js';
import { LargeBodies } from './large-bodies.js';
import { ProblemFilter } from './problem.filter.js';
import { RouteTable } from './route-table.js';
import { Routes } from './routes.js';
import { StrictValidationPipe } from './validation.pipe.js';

/**
 * The edge, the same for every route. Interceptors run in this order: no body is read for who asks too often, and it is
 * known before its fingerprint.
 */
@Global()
@Module({
  imports: [DiscoveryModule, IdempotencyModule, RateLimitModule],
  providers: [
    LargeBodies,
    Routes,
    RouteTable,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useClass: StrictValidationPipe },
    { provide: APP_INTERCEPTOR, useExisting: RateLimitInterceptor },
    { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
  exports: [Routes],
})
export class HttpModule {}
