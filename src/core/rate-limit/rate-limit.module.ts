import { Global, Module } from '@nestjs/common';

import { RateLimitInterceptor } from './rate-limit.interceptor.js';
import { RateLimiter } from './rate-limiter.js';

@Global()
@Module({ providers: [RateLimiter, RateLimitInterceptor], exports: [RateLimiter, RateLimitInterceptor] })
export class RateLimitModule {}
