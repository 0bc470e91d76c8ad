import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';

import { Database } from '../../core/database/index.js';
import { RunLogPartsService } from '../../files/index.js';
import { Run } from '../run.entity.js';
import { haveGaps, type LogLine, withGaps } from './log-lines.js';
import { arePut, type StoredChunk } from './log-pieces.js';
import { READ_LINES } from './run-log.sql.js';

type LogState = Pick<Run, 'phase' | 'progress' | 'progressMessage'>;

@Injectable()
export class RunLogRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Run) private readonly runs: Repository<Run>,
    private readonly parts: RunLogPartsService,
  ) {}

  /**
   * At most `limit` lines from number `after` on, in order, with one for each gap in what is kept.
   */
  async read(runId: string, after: number, limit: number): Promise<LogLine[]> {
    const kept = await this.kept(runId, after, limit);
    if (!haveGaps(kept, after)) return kept;
    const parts = await this.parts.of(runId);
    return withGaps(kept, after, limit, (from, to) => arePut(parts, from, to));
  }

  /** The same, without anything where numbers jump. */
  kept(runId: string, after: number, limit: number): Promise<LogLine[]> {
    return this.database.query<LogLine>(READ_LINES, [runId, after, limit]);
  }

  /** What lies together in the database, in order. */
  chunks(runId: string): Promise<StoredChunk[]> {
    return this.runs.manager
      .createQueryBuilder('RunLogChunk', 'c')
      .select('c.firstLine', 'firstLine')
      .addSelect('cardinality(c.lines)', 'lines')
      .addSelect(`octet_length(array_to_string(c.lines, E'\\n')) + 1`, 'bytes')
      .where('c.runId = :runId', { runId })
      .orderBy('c.firstLine')
      .getRawMany<StoredChunk>();
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
