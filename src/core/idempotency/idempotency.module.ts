import { Global, Module } from '@nestjs/common';

import { IdempotencyService } from './idempotency.service.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { KeyExpiryRepository } from './key-expiry.repository.js';
import { KeySweeper } from './key-sweeper.js';
import { ResourceResponses } from './resource-responses.js';

@Global()
@Module({
  providers: [IdempotencyService, IdempotencyRepository, KeyExpiryRepository, KeySweeper, ResourceResponses],
  exports: [IdempotencyService, ResourceResponses],
})
export class IdempotencyModule {}
