import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, NeedsConfirmation, type WorkspaceCaller } from '../core/access/index.js';
import { type GatehouseResponse, IdempotentBy, PageQuery } from '../core/http/index.js';
import { HeldRunDto } from '../runs/index.js';
import {
  HookDto,
  HookInput,
  HookPage,
  HookPatch,
  HookReceiptDetailDto,
  HookReceiptPage,
  HookReplayInput,
  NewHookDto,
} from './hook.dto.js';
import { HooksService } from './hooks.service.js';
import { HookReceiptsService } from './receiving/hook-receipts.service.js';

const READ_HOOKS = { scope: 'hooks:read', role: 'member', reach: 'own' } as const;
const CHANGE_HOOKS = { scope: 'hooks:write', role: 'member', reach: 'own' } as const;

@ApiTags('Hooks')
@Controller('v1')
export class HooksController {
  constructor(
    private readonly hooks: HooksService,
    private readonly receipts: HookReceiptsService,
  ) {}

  /**
   * List the hooks of a script, newest first
   * @remarks Those of the environment that the request acts in.
   */
  @Get('scripts/:slug/hooks')
  @Access(READ_HOOKS)
  listOfScript(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Query() query: PageQuery,
  ): Promise<HookPage> {
    return this.hooks.listOfScript(caller, slug, query);
  }

  /**
   * Make an address to which others send requests, each of which starts a run
   * @remarks The runs use the version that is published then and are started as the one who makes the hook. Made by an agent, they count as the agent's. 403 for the scheme `none` unless an owner makes it in person. 409 where the script is archived or has no published version, and where the workspace has as many hooks as it may have (500, unless set otherwise).
   */
  @Post('scripts/:slug/hooks')
  @Access(CHANGE_HOOKS)
  @NeedsConfirmation()
  @ApiCreatedResponse({ type: NewHookDto })
  create(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Body() input: HookInput,
  ): Promise<NewHookDto> {
    return this.hooks.create(caller, slug, input);
  }

  /**
   * List the hooks of all scripts, newest first
   * @remarks Those of the environment that the request acts in.
   */
  @Get('hooks')
  @Access(READ_HOOKS)
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<HookPage> {
    return this.hooks.list(caller, query);
  }

  /**
   * Get a hook
   * @remarks 404 unless the request acts in its environment.
   */
  @Get('hooks/:id')
  @Access(READ_HOOKS)
  get(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<HookDto> {
    return this.hooks.get(caller, id);
  }

  /**
   * Change a hook, or switch it off and on
   * @remarks Its runs go on being started as the one who made it. Changed by an agent, it counts as the agent's from then on, until a person changes in the app or by a personal access token what it does. A `verify` that checks less takes an owner or admin in person. Moved to another environment, it is found there, and its secrets are those of there.
   */
  @Patch('hooks/:id')
  @Access(CHANGE_HOOKS)
  change(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Body() patch: HookPatch,
  ): Promise<HookDto> {
    return this.hooks.changeHook(caller, id, patch);
  }

  /** Delete a hook; its runs stay */
  @Delete('hooks/:id')
  @HttpCode(204)
  @Access(CHANGE_HOOKS)
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<void> {
    return this.hooks.delete(caller, id);
  }

  /**
   * Give a hook another address
   * @remarks The one before does not exist any more.
   */
  @Post('hooks/:id/rotate')
  @HttpCode(200)
  @Access(CHANGE_HOOKS)
  @NeedsConfirmation()
  @ApiOkResponse({ type: NewHookDto })
  rotate(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<NewHookDto> {
    return this.hooks.rotate(caller, id);
  }

  /** List what came in for a hook, newest first, of the last 7 days unless set otherwise */
  @Get('hooks/:id/receipts')
  @Access(READ_HOOKS)
  listReceipts(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<HookReceiptPage> {
    return this.receipts.list(caller, id, query);
  }

  /** Get what came in, with its body */
  @Get('hooks/:id/receipts/:receiptId')
  @Access(READ_HOOKS)
  getReceipt(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Param('receiptId') receiptId: string,
  ): Promise<HookReceiptDetailDto> {
    return this.receipts.get(caller, id, receiptId);
  }

  /**
   * Run what came in once more
   * @remarks As the caller, with what the hook makes of it now; a version that is named is tested. Answers as starting a run does.
   */
  @Post('hooks/:id/receipts/:receiptId/replay')
  @Access({ scope: 'runs:write', role: 'member', reach: 'own' })
  @IdempotentBy('resource')
  @HttpCode(200)
  @ApiOkResponse({ type: HeldRunDto, description: 'The run is finished.' })
  @ApiAcceptedResponse({ type: HeldRunDto, description: 'The run goes on, or waits for a person.' })
  async replay(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Param('receiptId') receiptId: string,
    @Body() input: HookReplayInput,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<HeldRunDto> {
    const { run, finished } = await this.receipts.replay(caller, id, receiptId, input);
    reply.status(finished ? 200 : 202);
    return run;
  }
}
