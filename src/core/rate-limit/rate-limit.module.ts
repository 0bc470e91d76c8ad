import { Global, Module } from '@nestjs/common';

import { BucketExpiryRepository } from './bucket-expiry.repository.js';
import { RateLimitInterceptor } from './rate-limit.interceptor.js';
import { RateLimiter } from './rate-limiter.js';

@Global()
@Module({
  providers: [BucketExpiryRepository, RateLimiter, RateLimitInterceptor],
  exports: [RateLimiter, RateLimitInterceptor],
})
export class RateLimitModule {}
