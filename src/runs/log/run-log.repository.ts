import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';

import { Database } from '../../core/database/database.js';
import { Run } from '../run.entity.js';

export type LogState = Pick<Run, 'phase' | 'progress' | 'progressMessage'>;

@Injectable()
export class RunLogRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Run) private readonly runs: Repository<Run>,
  ) {}

  /** At most `limit` lines from line `after` on, in order. Lines are stored in chunks, which are cut to measure here. */
  async read(runId: string, after: number, limit: number): Promise<string[]> {
    const rows = await this.database.query<{ line: string }>(
      `SELECT l.line FROM run_log_chunks c
       CROSS JOIN LATERAL unnest(c.lines) WITH ORDINALITY AS l(line, place)
       WHERE c.run_id = $1
         AND c.first_line >= COALESCE((
           SELECT max(first_line) FROM run_log_chunks WHERE run_id = $1 AND first_line <= $2::bigint), 0)
         AND c.first_line < $2::bigint + $3 AND c.first_line + l.place - 1 >= $2::bigint
       ORDER BY c.first_line, l.place LIMIT $3`,
      [runId, after, limit],
    );
    return rows.map(({ line }) => line);
  }

  state(id: string): Promise<LogState | null> {
    return this.runs.findOne({
      select: { id: true, phase: true, progress: true, progressMessage: true },
      where: { id },
    });
  }
}
