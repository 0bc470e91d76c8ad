import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import type { Run } from '../run.entity.js';
import { RunAttempt } from './run-attempt.entity.js';

export type EarlierAttempt = Omit<RunAttempt, 'runId'>;

/** Reads the attempts of runs that were tried again. */
@Injectable()
export class RunAttemptsRepository {
  constructor(@InjectRepository(RunAttempt) private readonly attempts: Repository<RunAttempt>) {}

  /** Those that are over while the run goes on. A run that was tried once costs no look. */
  async of({
    id,
    attempt,
    phase,
    status,
  }: Pick<Run, 'id' | 'attempt' | 'phase' | 'status'>): Promise<EarlierAttempt[]> {
    // One that is cancelled may have waited for its second attempt.
    if (attempt === 1 && phase !== 'retrying' && status !== 'cancelled') return [];
    const rows = await this.attempts.find({ where: { runId: id }, order: { attempt: 'ASC' } });
    return rows.map(({ runId: _, ...attempt }) => attempt);
  }
}
