import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';

import { AccessGuard, IdentityGuard, LateBodyInterceptor } from '../access/index.js';
import { BodyInterceptor, StrictValidationPipe } from '../http/index.js';
import { IdempotencyInterceptor } from '../idempotency/index.js';
import { RateLimitInterceptor } from '../rate-limit/index.js';
import { ProblemFilter } from './problem.filter.js';

/**
 * What every request passes, in the order of this list. A body is read only after the rate limit. Whoever took their
 * time to send it is judged again. A request is fingerprinted only once its body is there.
 */
@Module({
  providers: [
    { provide: APP_GUARD, useClass: IdentityGuard },
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_INTERCEPTOR, useExisting: RateLimitInterceptor },
    { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: LateBodyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_PIPE, useClass: StrictValidationPipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
})
export class PipelineModule {}
