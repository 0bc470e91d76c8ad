import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';

import { Database } from '../../core/database/index.js';
import { Run } from '../run.entity.js';
import { type LogLine, withGaps } from './log-lines.js';
import { READ_LINES } from './run-log.sql.js';

type LogState = Pick<Run, 'phase' | 'progress' | 'progressMessage'>;

@Injectable()
export class RunLogRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Run) private readonly runs: Repository<Run>,
  ) {}

  /**
   * At most `limit` lines from number `after` on, in order, with one for each gap in what is kept.
   */
  async read(runId: string, after: number, limit: number): Promise<LogLine[]> {
    const kept = await this.database.query<LogLine>(READ_LINES, [runId, after, limit]);
    return withGaps(kept, after, limit);
  }

  /** The last `count` lines, where there are as many. */
  async last(runId: string, count: number): Promise<LogLine[]> {
    const run = await this.runs.findOne({ select: { id: true, logLines: true }, where: { id: runId } });
    return run ? this.read(runId, Math.max(0, run.logLines - count), count) : [];
  }

  state(id: string): Promise<LogState | null> {
    return this.runs.findOne({
      select: { id: true, phase: true, progress: true, progressMessage: true },
      where: { id },
    });
  }
}
