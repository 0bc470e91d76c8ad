import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { PageQuery } from '../core/http/index.js';
import { nextRuns } from './cron/firing-plan.js';
import {
  ScheduleDto,
  ScheduleInput,
  ScheduleListQuery,
  SchedulePage,
  SchedulePatch,
  SchedulePreviewDto,
  SchedulePreviewQuery,
} from './schedule.dto.js';
import { SchedulesService } from './schedules.service.js';

@ApiTags('Schedules')
@Controller('v1')
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  /**
   * List the schedules of a script, newest first
   * @remarks An API key that is bound to an environment sees only the schedules there.
   */
  @Get('scripts/:slug/schedules')
  @Access({ scope: 'schedules:read', role: 'member', reach: 'own' })
  listOfScript(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Query() query: PageQuery,
  ): Promise<SchedulePage> {
    return this.schedules.listOfScript(caller, slug, query);
  }

  /**
   * Make a schedule that runs a script
   * @remarks The runs use the version that is published then and are started as the one who makes the schedule. Made by an agent, it counts as the agent's: the approval policy `agents` holds its runs, and where agents are not allowed it is refused. 409 where the script is archived or has no published version. 409 also where the workspace has as many schedules as it may have (500, unless set otherwise).
   */
  @Post('scripts/:slug/schedules')
  @Access({ scope: 'schedules:write', role: 'member', reach: 'own' })
  create(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Body() input: ScheduleInput,
  ): Promise<ScheduleDto> {
    return this.schedules.create(caller, slug, input);
  }

  /**
   * List the schedules of all scripts, newest first
   * @remarks An API key that is bound to an environment sees only the schedules there.
   */
  @Get('schedules')
  @Access({ scope: 'schedules:read', role: 'member', reach: 'own' })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: ScheduleListQuery): Promise<SchedulePage> {
    return this.schedules.listUpcoming(caller, query);
  }

  /**
   * Say when a schedule would be due
   * @remarks Nothing is made. 400 where the expression or the zone is none that a schedule could have.
   */
  @Get('schedules/preview')
  @Access({ scope: 'schedules:read', role: 'member', reach: 'shared' })
  preview(@Query() { cron, timezone }: SchedulePreviewQuery): SchedulePreviewDto {
    return { times: nextRuns(cron, timezone ?? 'UTC', new Date()).map((time) => time.toISOString()) };
  }

  /** Get a schedule */
  @Get('schedules/:id')
  @Access({ scope: 'schedules:read', role: 'member', reach: 'own' })
  get(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<ScheduleDto> {
    return this.schedules.get(caller, id);
  }

  /**
   * Change a schedule, or switch it off and on
   * @remarks Its runs go on being started as the one who made it. Changed by an agent, it counts as the agent's from then on, until a person changes in the app or by a personal access token what it does. Switching it on, or giving it other inputs, is 409 while the script has no published version.
   */
  @Patch('schedules/:id')
  @Access({ scope: 'schedules:write', role: 'member', reach: 'own' })
  change(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Body() patch: SchedulePatch,
  ): Promise<ScheduleDto> {
    return this.schedules.change(caller, id, patch);
  }

  /** Delete a schedule; its runs stay */
  @Delete('schedules/:id')
  @HttpCode(204)
  @Access({ scope: 'schedules:write', role: 'member', reach: 'own' })
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<void> {
    return this.schedules.delete(caller, id);
  }
}
