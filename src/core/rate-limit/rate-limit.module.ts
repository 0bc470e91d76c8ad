import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { RateBucket } from './rate-bucket.entity.js';
import { RateBucketsRepository } from './rate-buckets.repository.js';
import { RateLimitInterceptor } from './rate-limit.interceptor.js';
import { RateLimiter } from './rate-limiter.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([RateBucket])],
  providers: [RateBucketsRepository, RateLimiter, RateLimitInterceptor],
  exports: [RateLimiter, RateLimitInterceptor],
})
export class RateLimitModule {}
