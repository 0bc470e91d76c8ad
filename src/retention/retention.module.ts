import { Module } from '@nestjs/common';

import { Retention } from './retention.js';
import { RetentionRepository } from './retention.repository.js';

/** How long things are kept. */
@Module({ providers: [Retention, RetentionRepository] })
export class RetentionModule {}
