import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';

import { Database } from '../../core/database/index.js';
import { Run } from '../run.entity.js';
import { type LogLine, withGaps } from './log-lines.js';

export type LogState = Pick<Run, 'phase' | 'progress' | 'progressMessage'>;

@Injectable()
export class RunLogRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Run) private readonly runs: Repository<Run>,
  ) {}

  /**
   * At most `limit` lines from number `after` on, in order, with one for each gap in what is kept. Lines are stored in chunks,
   * which are cut to measure here.
   */
  async read(runId: string, after: number, limit: number): Promise<LogLine[]> {
    const kept = await this.database.query<LogLine>(
      `SELECT (c.first_line + l.place - 1)::int AS number, l.line
       FROM (
         SELECT first_line, lines FROM run_log_chunks
         WHERE run_id = $1 AND first_line >= COALESCE((
           SELECT max(first_line) FROM run_log_chunks WHERE run_id = $1 AND first_line <= $2), 0)
         ORDER BY first_line LIMIT $3 + 1
       ) AS c
       CROSS JOIN LATERAL unnest(c.lines) WITH ORDINALITY AS l(line, place)
       WHERE c.first_line + l.place - 1 >= $2
       ORDER BY c.first_line, l.place LIMIT $3`,
      [runId, after, limit],
    );
    return withGaps(kept, after, limit);
  }

  state(id: string): Promise<LogState | null> {
    return this.runs.findOne({
      select: { id: true, phase: true, progress: true, progressMessage: true },
      where: { id },
    });
  }
}
