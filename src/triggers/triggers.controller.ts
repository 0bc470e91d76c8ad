import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { PageQuery } from '../core/http/index.js';
import {
  TriggerDto,
  TriggerInput,
  TriggerPage,
  TriggerPatch,
  TriggerTestDto,
  TriggerTestInput,
} from './trigger.dto.js';
import { TriggerTestsService } from './trigger-tests.service.js';
import { TriggersService } from './triggers.service.js';

@ApiTags('Triggers')
@Controller('v1')
export class TriggersController {
  constructor(
    private readonly triggers: TriggersService,
    private readonly tests: TriggerTestsService,
  ) {}

  /**
   * List the triggers of a script, newest first
   * @remarks Those of the environment that the request acts in.
   */
  @Get('scripts/:slug/triggers')
  @Access({ scope: 'triggers:read', role: 'member', reach: 'own' })
  listOfScript(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Query() query: PageQuery,
  ): Promise<TriggerPage> {
    return this.triggers.listOfScript(caller, slug, query);
  }

  /**
   * Make a trigger that runs a script when something happens
   * @remarks It gets the events of its environment and those of the whole workspace. The runs use the version that is published then and are started as the one who makes the trigger, who gets by it what the event stream shows them: the credential needs what following such events takes, or it is 403, and an event fires only where its author sees what it is about. For an app that was given chosen scripts these are theirs. Triggers on approvals, and on types that are for nobody in particular, take whoever may read webhook endpoints. Events of test runs start none. Made by an agent, or fired by what an agent's run caused, the runs count as the agent's. A chain of triggers ends after 8 runs, and with 200 runs and 16 MiB of inputs from its first event; a trigger that would go on is switched off. 409 where the script is archived or has no published version, where the workspace has as many triggers as it may have (500, unless set otherwise), and where 100 wait already for the same type of events of the same script.
   */
  @Post('scripts/:slug/triggers')
  @Access({ scope: 'triggers:write', role: 'member', reach: 'own' })
  create(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Body() input: TriggerInput,
  ): Promise<TriggerDto> {
    return this.triggers.create(caller, slug, input);
  }

  /**
   * List the triggers of all scripts, newest first
   * @remarks Those of the environment that the request acts in.
   */
  @Get('triggers')
  @Access({ scope: 'triggers:read', role: 'member', reach: 'own' })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<TriggerPage> {
    return this.triggers.list(caller, query);
  }

  /**
   * Get a trigger
   * @remarks 404 unless the request acts in its environment.
   */
  @Get('triggers/:id')
  @Access({ scope: 'triggers:read', role: 'member', reach: 'own' })
  get(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<TriggerDto> {
    return this.triggers.get(caller, id);
  }

  /**
   * Change a trigger, or switch it off and on
   * @remarks Its runs go on being started as the one who made it. Changed by an agent, it counts as the agent's from then on, until a person changes in the app or by a personal access token what it does. Switching it on, or giving it other inputs, is 409 while the script has no published version, and so is making it the 101st that waits for the same type of events of the same script. Moved to another environment, it is found there.
   */
  @Patch('triggers/:id')
  @Access({ scope: 'triggers:write', role: 'member', reach: 'own' })
  change(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Body() patch: TriggerPatch,
  ): Promise<TriggerDto> {
    return this.triggers.change(caller, id, patch);
  }

  /** Delete a trigger; its runs stay */
  @Delete('triggers/:id')
  @HttpCode(204)
  @Access({ scope: 'triggers:write', role: 'member', reach: 'own' })
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<void> {
    return this.triggers.delete(caller, id);
  }

  /**
   * Say whether an event would fire a trigger, and with which inputs
   * @remarks Nothing is run, and nothing changes.
   */
  @Post('triggers/:id/test')
  @HttpCode(200)
  @Access({ scope: 'triggers:write', role: 'member', reach: 'own' })
  test(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Body() { event }: TriggerTestInput,
  ): Promise<TriggerTestDto> {
    return this.tests.test(caller, id, event);
  }
}
