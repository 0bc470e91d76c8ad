import { Global, Module } from '@nestjs/common';

import { Idempotency } from './idempotency.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { ResourceAnswers } from './resource-answers.js';

@Global()
@Module({
  providers: [Idempotency, IdempotencyRepository, ResourceAnswers],
  exports: [Idempotency, ResourceAnswers],
})
export class IdempotencyModule {}
