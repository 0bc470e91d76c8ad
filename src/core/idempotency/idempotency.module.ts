import { Global, Module } from '@nestjs/common';

import { Idempotency } from './idempotency.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { KeyExpiryRepository } from './key-expiry.repository.js';
import { KeySweeper } from './key-sweeper.js';
import { ResourceAnswers } from './resource-answers.js';

@Global()
@Module({
  providers: [Idempotency, IdempotencyRepository, KeyExpiryRepository, KeySweeper, ResourceAnswers],
  exports: [Idempotency, ResourceAnswers],
})
export class IdempotencyModule {}
