import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';

import { AccessGuard } from '../access/access.guard.js';
import { IdentityGuard } from '../access/identity.guard.js';
import { LateBodyInterceptor } from '../access/late-body.interceptor.js';
import { BodyInterceptor } from '../http/body.interceptor.js';
import { StrictValidationPipe } from '../http/validation.pipe.js';
import { IdempotencyInterceptor } from '../idempotency/idempotency.interceptor.js';
import { RateLimitInterceptor } from '../rate-limit/rate-limit.interceptor.js';
import { ProblemFilter } from './problem.filter.js';

/**
 * What every request passes, in the order of this list. A body is read only after the rate limit, whoever took their time to
 * send it is judged again, and a request is fingerprinted only once its body is there.
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
