import { Injectable } from '@nestjs/common';

import { ApprovalsService } from '../../approvals/index.js';
import { Loop } from '../../core/work/index.js';
import { QuestionsRepository } from './questions.repository.js';

const SWEEP_EVERY_MS = 5_000;

/** Withdraws questions whose run is over, whatever became of its worker. Every process does it. */
@Injectable()
export class QuestionSweeper {
  constructor(
    private readonly questions: QuestionsRepository,
    private readonly approvals: ApprovalsService,
  ) {}

  @Loop({ every: SWEEP_EVERY_MS })
  async sweep(): Promise<void> {
    await this.approvals.expire(await this.questions.unneeded());
  }
}
