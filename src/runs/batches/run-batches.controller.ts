import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../../core/access/index.js';
import { IdempotentBy } from '../../core/http/index.js';
import { START_RUNS } from '../run-access.js';
import { RunBatchDto, RunBatchInput } from './run-batch.dto.js';
import { RunBatchesService } from './run-batches.service.js';

@ApiTags('runs')
@Controller('v1')
export class RunBatchesController {
  constructor(private readonly batches: RunBatchesService) {}

  /**
   * Start many runs of the published version
   *
   * All of them or none. Their ends are not waited for. Runs that a person would have to approve are refused with 409:
   * they are started one by one.
   */
  @Post('scripts/:slug/runs/batch')
  @Access(START_RUNS)
  @IdempotentBy('resource')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: RunBatchDto, description: 'Its runs go on.' })
  start(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Body() input: RunBatchInput,
  ): Promise<RunBatchDto> {
    return this.batches.start(caller, slug, input);
  }
}
