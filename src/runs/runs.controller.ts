import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';

import {
  Access,
  type AccessRequest,
  InWorkspace,
  LiveResponses,
  type WorkspaceCaller,
} from '../core/access/index.js';
import { ApiExport, type GatehouseResponse, IdempotentBy, sendExport } from '../core/http/index.js';
import { VERSION_NUMBER, VersionNumberPipe } from '../scripts/index.js';
import { READ_RUNS, START_RUNS } from './run-access.js';
import { RUN_COLUMNS } from './run-export.js';
import { RunExportQuery, RunListQuery } from './run-list.dto.js';
import { HeldRunDto, RunDto, RunPageDto } from './run.dto.js';
import { RunInput } from './run-input.dto.js';
import { RunPatch } from './run-patch.dto.js';
import { RunsService } from './runs.service.js';
import type { StartedRun } from './starting/run-outcomes.service.js';
import { RunStartsService } from './starting/run-starts.service.js';

@ApiTags('runs')
@Controller('v1')
export class RunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly starts: RunStartsService,
    private readonly live: LiveResponses,
  ) {}

  /**
   * Start a run of the published version
   *
   * A short script (time-out up to 30 s) is waited for: 200 with the finished run. A long one, a held one, one
   * that waits for further starts (`debounce`) and a short one that is not finished 10 s after its time-out answer 202.
   */
  @Post('scripts/:slug/runs')
  @Access(START_RUNS)
  @IdempotentBy('resource')
  @HttpCode(200)
  @ApiOkResponse({ type: HeldRunDto, description: 'The run is finished.' })
  @ApiAcceptedResponse({ type: HeldRunDto, description: 'The run goes on, or waits for a person.' })
  async start(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Body() input: RunInput,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<HeldRunDto> {
    return respond(await this.starts.start(caller, slug, input), reply);
  }

  /** Try out a version, published or not */
  @Post('scripts/:slug/versions/:number/runs')
  @ApiParam(VERSION_NUMBER)
  @Access({ scope: 'runs:write', role: 'member', reach: 'own' })
  @IdempotentBy('resource')
  @HttpCode(200)
  @ApiOkResponse({ type: HeldRunDto, description: 'The run is finished.' })
  @ApiAcceptedResponse({ type: HeldRunDto, description: 'The run goes on, or waits for a person.' })
  async test(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Param('number', VersionNumberPipe) version: number,
    @Body() input: RunInput,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<HeldRunDto> {
    return respond(await this.starts.test(caller, slug, version, input), reply);
  }

  /**
   * Try out a trial
   *
   * It is a test run of version 0. Its end is not waited for: follow its log, or read the run. 404 for a trial that has expired.
   */
  @Post('scripts/:slug/trials/:trialId/runs')
  @Access({ scope: 'runs:write', role: 'member', reach: 'own' })
  @IdempotentBy('resource')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: HeldRunDto, description: 'The run begins, or waits for a person.' })
  testTrial(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Param('trialId') trialId: string,
    @Body() input: RunInput,
  ): Promise<HeldRunDto> {
    return this.starts.testTrial(caller, slug, trialId, input);
  }

  /** List runs, newest first */
  @Get('runs')
  @Access(READ_RUNS)
  @ApiOkResponse({ type: RunPageDto })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: RunListQuery): Promise<RunPageDto> {
    return this.runs.list(caller, query);
  }

  /**
   * Export runs, newest first
   *
   * All that fit the filters of the list, 100,000 at most: for older ones ask again with `until`. It is cut off within 5 seconds of
   * whatever takes the right to it away.
   */
  @Get('runs/export')
  @Access(READ_RUNS)
  @ApiExport()
  async export(
    @InWorkspace() caller: WorkspaceCaller,
    @Query() { format, ...filters }: RunExportQuery,
    @Req() request: AccessRequest,
    @Res() reply: GatehouseResponse,
  ): Promise<void> {
    const runs = this.runs.all(caller, filters);
    await sendExport(reply, { name: 'runs', format, columns: RUN_COLUMNS }, runs, this.live.open(request));
  }

  /** Read a run, with its files */
  @Get('runs/:runId')
  @Access(READ_RUNS)
  @ApiOkResponse({ type: RunDto })
  get(@InWorkspace() caller: WorkspaceCaller, @Param('runId') id: string): Promise<RunDto> {
    return this.runs.get(caller, id);
  }

  /**
   * Move a run that is delayed to another time
   *
   * Neither one that waits for further starts (`debounce`), nor one that was approved: its time was part of that.
   */
  @Patch('runs/:runId')
  @Access(START_RUNS)
  @ApiOkResponse({ type: RunDto })
  move(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('runId') id: string,
    @Body() { startAt }: RunPatch,
  ): Promise<RunDto> {
    return this.runs.move(caller, id, startAt);
  }

  /**
   * Cancel a run
   *
   * A held or queued run is cancelled at once: 200. One that executes answers 202 and becomes `cancelled` when all of
   * its processes are gone.
   */
  @Post('runs/:runId/cancel')
  @Access(START_RUNS)
  @HttpCode(200)
  @ApiOkResponse({ type: RunDto, description: 'The run is cancelled.' })
  @ApiAcceptedResponse({ type: RunDto, description: 'The run is being ended.' })
  async cancel(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('runId') id: string,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<RunDto> {
    const { run, finished } = await this.runs.cancel(caller, id);
    reply.status(finished ? 200 : 202);
    return run;
  }

  /** Run the same version with the same inputs again */
  @Post('runs/:runId/rerun')
  @Access(START_RUNS)
  @IdempotentBy('resource')
  @HttpCode(200)
  @ApiOkResponse({ type: HeldRunDto, description: 'The run is finished.' })
  @ApiAcceptedResponse({ type: HeldRunDto, description: 'The run goes on, or waits for a person.' })
  async rerun(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('runId') id: string,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<HeldRunDto> {
    return respond(await this.starts.rerun(caller, id), reply);
  }
}

function respond({ run, finished }: StartedRun, reply: GatehouseResponse): HeldRunDto {
  reply.status(finished ? 200 : 202);
  return run;
}
