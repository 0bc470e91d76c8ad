import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import {
  Access,
  type AccessRequest,
  InWorkspace,
  rememberedOf,
  type WorkspaceCaller,
} from '../../core/access/index.js';
import { type GatehouseResponse, PageQuery } from '../../core/http/index.js';
import { READ_RUNS, START_RUNS } from '../run-access.js';
import {
  MatchingRunsDto,
  RunOperationDto,
  RunOperationPageDto,
  RunsCancelInput,
  RunsRerunInput,
} from './run-operation.dto.js';
import { RunOperationsService } from './run-operations.service.js';

@ApiTags('runs')
@Controller('v1/runs')
export class RunOperationsController {
  constructor(private readonly operations: RunOperationsService) {}

  /**
   * Cancel all runs that fit a filter
   *
   * The filter is that of the list; it takes something that narrows, or `all`. The runs that belong to the operation are
   * those that fit now and have not ended. It goes on beside requests: follow it by its id. 429 while three operations of
   * the workspace go on.
   */
  @Post('cancel')
  @Access(START_RUNS)
  @HttpCode(202)
  @ApiOkResponse({ type: MatchingRunsDto, description: '`dryRun`: so many runs fit.' })
  @ApiAcceptedResponse({ type: RunOperationDto, description: 'The operation goes on.' })
  async cancelMany(
    @InWorkspace() caller: WorkspaceCaller,
    @Req() request: AccessRequest,
    @Body() input: RunsCancelInput,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<MatchingRunsDto | RunOperationDto> {
    reply.status(input.dryRun ? 200 : 202);
    return this.operations.ask(caller, rememberedOf(request), 'cancel', input);
  }

  /**
   * Run all runs again that fit a filter
   *
   * The filter is that of the list; it takes something that narrows, or `all`. The runs that belong to the operation are
   * those that fit now and have ended. Each is run again as by itself, in its own environment, once. One that a person
   * would have to approve is skipped. 409 where a script asks for it. 429 while three operations of the workspace go on,
   * or 20,000 of its runs wait.
   */
  @Post('rerun')
  @Access(START_RUNS)
  @HttpCode(202)
  @ApiOkResponse({ type: MatchingRunsDto, description: '`dryRun`: so many runs fit.' })
  @ApiAcceptedResponse({ type: RunOperationDto, description: 'The operation goes on.' })
  async rerunMany(
    @InWorkspace() caller: WorkspaceCaller,
    @Req() request: AccessRequest,
    @Body() input: RunsRerunInput,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<MatchingRunsDto | RunOperationDto> {
    reply.status(input.dryRun ? 200 : 202);
    return this.operations.ask(caller, rememberedOf(request), 'rerun', input);
  }

  /**
   * List operations on many runs, newest first
   *
   * Owners and admins see all of the workspace, others their own. They are kept for 30 days.
   */
  @Get('operations')
  @Access(READ_RUNS)
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<RunOperationPageDto> {
    return this.operations.list(caller, query);
  }

  /** Read how far an operation on many runs is */
  @Get('operations/:operationId')
  @Access(READ_RUNS)
  get(@InWorkspace() caller: WorkspaceCaller, @Param('operationId') id: string): Promise<RunOperationDto> {
    return this.operations.get(caller, id);
  }

  /**
   * End an operation on many runs
   *
   * What it has done stays done. 409 where it has ended.
   */
  @Post('operations/:operationId/cancel')
  @Access(START_RUNS)
  @HttpCode(200)
  cancel(@InWorkspace() caller: WorkspaceCaller, @Param('operationId') id: string): Promise<RunOperationDto> {
    return this.operations.cancel(caller, id);
  }
}
