import { Injectable } from '@nestjs/common';

import { Loop } from '../../core/work/index.js';
import { VersionPreparationService } from '../versions/version-preparation.service.js';
import { TrialsRepository } from './trials.repository.js';

const EVERY_MS = 60_000;
const BATCH = 100;

/** Takes away the trials that can be run no more, with their archives. */
@Injectable()
export class TrialPruner {
  constructor(
    private readonly trials: TrialsRepository,
    private readonly preparation: VersionPreparationService,
  ) {}

  /** The record goes last: if the process dies before that, the next round deletes again. Several may do it at once. */
  @Loop({ every: EVERY_MS, atStart: false })
  async prune(): Promise<boolean> {
    const gone = await this.trials.gone(BATCH);
    if (gone.length === 0) return false;
    await this.preparation.discard(gone.map(({ archiveKey }) => archiveKey));
    await this.trials.delete(gone.map(({ id }) => id));
    return gone.length === BATCH;
  }
}
