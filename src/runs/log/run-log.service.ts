import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import type { SingleRunRow } from '../run-columns.js';
import type { RunLogDto, RunLogQuery } from '../run.dto.js';
import { RunsService } from '../runs.service.js';
import type { LogLine } from './log-lines.js';
import { RunLogRepository } from './run-log.repository.js';

/** The logs of runs, for those who may see the runs. */
@Injectable()
export class RunLogService {
  constructor(
    private readonly runs: RunsService,
    private readonly log: RunLogRepository,
  ) {}

  async read(caller: WorkspaceCaller, id: string, query: RunLogQuery): Promise<RunLogDto> {
    const { after } = query;
    const lines = await this.numbered(caller, id, query);
    const last = lines.at(-1);
    return { lines: lines.map(({ line }) => line), next: last ? last.number + 1 : after };
  }

  /** The last lines of a run, for whoever tells of it: nobody is asked whether they may see it. */
  async tail(runId: string, count: number): Promise<string[]> {
    const lines = await this.log.last(runId, count);
    return lines.map(({ line }) => line);
  }

  /** The same, with each line's number. */
  async numbered(caller: WorkspaceCaller, id: string, query: RunLogQuery): Promise<LogLine[]> {
    const { after, limit, attempt } = query;
    const run = await this.runs.visible(caller, id);
    if (attempt === undefined) return this.log.read(id, after, limit);
    const { from, to } = linesOf(run, attempt);
    const first = Math.max(after, from);
    if (first >= to) return [];
    const lines = await this.log.read(id, first, limit);
    return lines.filter(({ number }) => number < to);
  }
}

/** Where an attempt's lines are among all of a run. */
function linesOf({ earlier, logLines }: SingleRunRow, attempt: number): { from: number; to: number } {
  const count = (attempts: SingleRunRow['earlier']): number =>
    attempts.reduce((sum, one) => sum + one.logLines, 0);
  const from = count(earlier.filter((one) => one.attempt < attempt));
  const own = earlier.find((one) => one.attempt === attempt);
  if (own) return { from, to: from + own.logLines };
  return { from, to: attempt === earlier.length + 1 ? logLines : from };
}
