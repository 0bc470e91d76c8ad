import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/caller.js';
import type { RunLogDto, RunLogQuery } from '../run.dto.js';
import { RunsService } from '../runs.service.js';
import { RunLogRepository } from './run-log.repository.js';

/** The logs of runs, for those who may see the runs. */
@Injectable()
export class RunLogService {
  constructor(
    private readonly runs: RunsService,
    private readonly log: RunLogRepository,
  ) {}

  async read(caller: WorkspaceCaller, id: string, { after, limit }: RunLogQuery): Promise<RunLogDto> {
    await this.runs.visible(caller, id);
    const lines = await this.log.read(id, after, limit);
    return { lines, next: after + lines.length };
  }
}
