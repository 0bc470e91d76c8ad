import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { RetryResponseRegistry } from './retry-response-registry.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey])],
  providers: [IdempotencyService, IdempotencyRepository, RetryResponseRegistry],
  exports: [IdempotencyService, RetryResponseRegistry],
})
export class IdempotencyModule {}
