import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../../core/access/index.js';
import { PageQuery } from '../../core/http/index.js';
import { READ_RUNS } from '../run-access.js';
import { PlannedRequestPage } from './planned-request.dto.js';
import { PlannedRequestsService } from './planned-requests.service.js';

@ApiTags('runs')
@Controller('v1/runs/:runId/planned')
export class PlannedRequestsController {
  constructor(private readonly planned: PlannedRequestsService) {}

  /**
   * List what a plan would have sent
   *
   * In the order in which the script sent it, the first 200 of them. `plannedRequests` of the run counts all. Kept as long as the run's
   * log. Empty for what is no plan.
   */
  @Get()
  @Access(READ_RUNS)
  list(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('runId') id: string,
    @Query() query: PageQuery,
  ): Promise<PlannedRequestPage> {
    return this.planned.list(caller, id, query);
  }
}
