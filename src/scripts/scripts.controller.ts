import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { ScriptDetailDto, ScriptPage } from './script.dto.js';
import { ScriptArchiveQuery, ScriptInput, ScriptListQuery, ScriptPatch } from './script-input.dto.js';
import { READ_SCRIPTS } from './script-rules.js';
import { ScriptsService } from './scripts.service.js';
import { ScriptActivityDto } from './stats/script-stats.dto.js';

@ApiTags('Scripts')
@Controller('v1/scripts')
export class ScriptsController {
  constructor(private readonly scripts: ScriptsService) {}

  /**
   * List scripts, newest first
   * @remarks Only those that the caller may see: owners, admins and API keys all of them, members those open to the workspace or shared with a team of theirs, guests only the latter. Archived ones are among them unless `status` says otherwise.
   */
  @Get()
  @Access(READ_SCRIPTS)
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: ScriptListQuery): Promise<ScriptPage> {
    return this.scripts.list(caller, query);
  }

  /**
   * Create a script
   * @remarks It begins as a draft without a version. 409 where the slug is taken, by an archived script too.
   */
  @Post()
  @Access({ scope: 'scripts:write', role: 'member', reach: 'shared' })
  create(@InWorkspace() caller: WorkspaceCaller, @Body() input: ScriptInput): Promise<ScriptDetailDto> {
    return this.scripts.create(caller, input);
  }

  /** Read a script with who and what uses it */
  @Get(':slug')
  @Access(READ_SCRIPTS)
  detail(@InWorkspace() caller: WorkspaceCaller, @Param('slug') slug: string): Promise<ScriptDetailDto> {
    return this.scripts.detail(caller, slug);
  }

  /** Count a script's runs by day */
  @Get(':slug/activity')
  @Access(READ_SCRIPTS)
  activity(@InWorkspace() caller: WorkspaceCaller, @Param('slug') slug: string): Promise<ScriptActivityDto> {
    return this.scripts.activity(caller, slug);
  }

  /**
   * Change a script
   * @remarks A lower `approvalPolicy` or a wider `access` (from teams to the workspace, to further teams, or to teams with guests) takes an owner or admin in person: 403 for others, for API keys and agents. 409 while it is archived, and at another revision than `expectedVersion`.
   */
  @Patch(':slug')
  @Access({ scope: 'scripts:write', role: 'member', reach: 'all' })
  change(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Body() patch: ScriptPatch,
  ): Promise<ScriptDetailDto> {
    return this.scripts.change(caller, slug, patch);
  }

  /**
   * Archive a script
   * @remarks It no longer runs; its versions, runs and files stay readable. `restore` takes it back to draft. One that never had a version can be removed instead.
   */
  @Delete(':slug')
  @HttpCode(204)
  @Access({ scope: 'scripts:write', role: 'member', reach: 'all' })
  archive(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('slug') slug: string,
    @Query() { removeIf }: ScriptArchiveQuery,
  ): Promise<void> {
    return removeIf === 'unused'
      ? this.scripts.removeUnused(caller, slug)
      : this.scripts.archive(caller, slug);
  }
}
