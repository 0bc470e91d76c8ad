import { Injectable } from '@nestjs/common';

import { Loop } from '../work/index.js';
import { IdempotencyService } from './idempotency.service.js';

const SWEEP_EVERY_MS = 10_000;

/**
 * Releases keys that requests of this process have left behind: their release failed, or the database took the key and
 * went away before it said so. Tried until it succeeds; where the process ends, others take its keys over.
 */
@Injectable()
export class KeySweeper {
  constructor(private readonly idempotency: IdempotencyService) {}

  @Loop({ every: SWEEP_EVERY_MS })
  async sweep(): Promise<void> {
    await this.idempotency.releaseAbandoned();
  }
}
