import { Global, Module } from '@nestjs/common';

import { BucketExpiryRepository } from './bucket-expiry.repository.js';
import { RequestLimits } from './request-limits.js';
import { RateLimiter } from './rate-limiter.js';

@Global()
@Module({
  providers: [BucketExpiryRepository, RateLimiter, RequestLimits],
  exports: [RateLimiter, RequestLimits],
})
export class RateLimitModule {}
