import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { BucketExpiryRepository } from './bucket-expiry.repository.js';
import { RateBucket } from './rate-bucket.entity.js';
import { RateLimitInterceptor } from './rate-limit.interceptor.js';
import { RateLimiter } from './rate-limiter.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([RateBucket])],
  providers: [BucketExpiryRepository, RateLimiter, RateLimitInterceptor],
  exports: [RateLimiter, RateLimitInterceptor],
})
export class RateLimitModule {}
