import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { IdempotencyService } from './idempotency.service.js';

const SWEEP_EVERY_MS = 10_000;

/**
 * Releases keys that requests of this process have left behind: their release failed, or the database took the key and
 * went away before it said so. Tried until it succeeds; where the process ends, others take its keys over.
 */
@Injectable()
export class KeySweeper {
  private readonly logger = new Logger('Idempotency');

  constructor(private readonly idempotency: IdempotencyService) {}

  @Interval(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    try {
      await this.idempotency.releaseAbandoned();
    } catch (error) {
      this.logger.warn(`Keys that requests left behind could not be released: ${String(error)}`);
    }
  }
}
