import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import type { SingleRunRow } from '../run-columns.js';
import type { RunLogDto, RunLogQuery } from './run-log.dto.js';
import { RunsService } from '../runs.service.js';
import type { LogLine } from './log-lines.js';
import { RunLogRepository } from './run-log.repository.js';

const AT_ONCE = 1_000;

/** The logs of runs, for those who may see the runs. */
@Injectable()
export class RunLogService {
  constructor(
    private readonly runs: RunsService,
    private readonly log: RunLogRepository,
  ) {}

  async read(caller: WorkspaceCaller, id: string, query: RunLogQuery): Promise<RunLogDto> {
    const { after, q } = query;
    if (q !== undefined) return this.search(caller, id, { ...query, q });
    const lines = await this.numbered(caller, id, query);
    const last = lines.at(-1);
    return { lines: lines.map(({ line }) => line), next: last ? last.number + 1 : after };
  }

  /** A log is of bounded size, so all of it that is left is looked at. */
  private async search(
    caller: WorkspaceCaller,
    id: string,
    { q, limit, after, attempt }: RunLogQuery & { q: string },
  ): Promise<RunLogDto> {
    const { from, to } = partOf(await this.runs.visible(caller, id), attempt);
    const text = q.toLowerCase();
    const found: LogLine[] = [];
    let next = Math.max(after, from);
    while (next < to) {
      const lines = (await this.log.read(id, next, AT_ONCE)).filter(({ number }) => number < to);
      for (const { number, line } of lines) {
        next = number + 1;
        if (line.toLowerCase().includes(text)) found.push({ number, line });
        if (found.length === limit) return listed(found, next);
      }
      if (lines.length < AT_ONCE) break;
    }
    return listed(found, next);
  }

  /** The last lines of a run, for whoever tells of it: nobody is asked whether they may see it. */
  async tail(runId: string, count: number): Promise<string[]> {
    const lines = await this.log.last(runId, count);
    return lines.map(({ line }) => line);
  }

  /** The same, with each line's number. */
  async numbered(caller: WorkspaceCaller, id: string, query: RunLogQuery): Promise<LogLine[]> {
    const { after, limit, attempt } = query;
    const { from, to } = partOf(await this.runs.visible(caller, id), attempt);
    const first = Math.max(after, from);
    if (first >= to) return [];
    const lines = await this.log.read(id, first, limit);
    return lines.filter(({ number }) => number < to);
  }
}

function listed(found: readonly LogLine[], next: number): RunLogDto {
  return { lines: found.map(({ line }) => line), numbers: found.map(({ number }) => number), next };
}

/** Where the lines of an attempt are, or all. */
function partOf(run: SingleRunRow, attempt: number | undefined): { from: number; to: number } {
  return attempt === undefined ? { from: 0, to: Infinity } : linesOf(run, attempt);
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
