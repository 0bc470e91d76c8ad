import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../../core/access/index.js';
import { READ_STATISTICS } from '../run-access.js';
import { RunStatisticsDto, RunStatisticsQuery } from './run-statistics.dto.js';
import { RunStatisticsService } from './run-statistics.service.js';

@ApiTags('runs')
@Controller('v1/runs/statistics')
export class RunStatisticsController {
  constructor(private readonly statistics: RunStatisticsService) {}

  /**
   * How runs ended, by hour or day
   *
   * Of the scripts that the caller may see. A run is counted in the bucket in which it ended, within seconds. Counted since
   * version 0.3.0.
   */
  @Get()
  @Access(READ_STATISTICS)
  read(
    @InWorkspace() caller: WorkspaceCaller,
    @Query() query: RunStatisticsQuery,
  ): Promise<RunStatisticsDto> {
    return this.statistics.read(caller, query);
  }
}
