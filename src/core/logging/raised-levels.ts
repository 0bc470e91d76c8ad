import { Injectable } from '@nestjs/common';

import { Loop } from '../work/index.js';
import { LogLevels } from './log-levels.js';
import { RaisedLevelsRepository } from './raised-levels.repository.js';

const LOOK_EVERY_MS = 5_000;

/** Has this process write what the operator asked for in another one: at most so much later, and until it is over. */
@Injectable()
export class RaisedLevels {
  constructor(
    private readonly rows: RaisedLevelsRepository,
    private readonly levels: LogLevels,
  ) {}

  @Loop({ every: LOOK_EVERY_MS })
  async look(): Promise<void> {
    const raised = await this.rows.list();
    this.levels.raise(new Map(raised.map(({ subject, level }) => [subject, level])));
  }
}
