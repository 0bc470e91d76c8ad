import { Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';

import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { BodyInterceptor } from './body.interceptor.js';
import { LargeBodies } from './large-bodies.js';
import { ProblemFilter } from './problem.filter.js';
import { StrictValidationPipe } from './validation.pipe.js';

/** The edge, the same for every route. Interceptors run in this order: the body is known before its fingerprint. */
@Module({
  imports: [IdempotencyModule],
  providers: [
    LargeBodies,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useClass: StrictValidationPipe },
    { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
})
export class HttpModule {}
