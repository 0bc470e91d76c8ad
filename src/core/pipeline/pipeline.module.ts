import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';

import { AccessGuard } from '../access/access.guard.js';
import { IdentityGuard } from '../access/identity.guard.js';
import { RequestBodies } from '../http/request-bodies.js';
import { StrictValidationPipe } from '../http/validation.pipe.js';
import { IdempotentRequests } from '../idempotency/idempotent-requests.js';
import { ProblemFilter } from './problem.filter.js';
import { RequestInterceptor } from './request.interceptor.js';

/** What every request passes, in the order of this list. */
@Module({
  providers: [
    { provide: APP_GUARD, useClass: IdentityGuard },
    { provide: APP_GUARD, useClass: AccessGuard },
    RequestBodies,
    IdempotentRequests,
    { provide: APP_INTERCEPTOR, useClass: RequestInterceptor },
    { provide: APP_PIPE, useClass: StrictValidationPipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
})
export class PipelineModule {}
