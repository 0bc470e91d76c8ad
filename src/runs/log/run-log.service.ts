import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
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

  async read(caller: WorkspaceCaller, id: string, { after, limit }: RunLogQuery): Promise<RunLogDto> {
    const lines = await this.numbered(caller, id, { after, limit });
    const last = lines.at(-1);
    return { lines: lines.map(({ line }) => line), next: last ? last.number + 1 : after };
  }

  /** The same, with each line's number. */
  async numbered(caller: WorkspaceCaller, id: string, { after, limit }: RunLogQuery): Promise<LogLine[]> {
    await this.runs.visible(caller, id);
    return this.log.read(id, after, limit);
  }
}
