import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, IN_PERSON, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { PageQuery } from '../core/http/index.js';
import { SavedViewDto, SavedViewInput, SavedViewPage, SavedViewPatch } from './saved-view.dto.js';
import { SavedViewsService } from './saved-views.service.js';

@ApiTags('Saved views')
@Controller('v1/workspace/views')
export class SavedViewsController {
  constructor(private readonly views: SavedViewsService) {}

  /** List the saved views of lists, one's own and those for everyone, newest first */
  @Get()
  @Access({ scope: 'runs:read', role: 'guest', reach: 'all', kinds: IN_PERSON })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<SavedViewPage> {
    return this.views.list(caller, query);
  }

  /**
   * Save what a list is filtered by
   * @remarks `shared` takes a member. 409 where the name is taken, and where there are 50 for oneself or for everyone.
   */
  @Post()
  @Access({ scope: 'runs:write', role: 'guest', reach: 'all', kinds: IN_PERSON })
  create(@InWorkspace() caller: WorkspaceCaller, @Body() input: SavedViewInput): Promise<SavedViewDto> {
    return this.views.create(caller, input);
  }

  /**
   * Give a saved view another name or filter
   * @remarks One for everyone is changed by whoever made it, and by admins.
   */
  @Patch(':id')
  @Access({ scope: 'runs:write', role: 'guest', reach: 'all', kinds: IN_PERSON })
  update(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Body() patch: SavedViewPatch,
  ): Promise<SavedViewDto> {
    return this.views.update(caller, id, patch);
  }

  /** Delete a saved view */
  @Delete(':id')
  @HttpCode(204)
  @Access({ scope: 'runs:write', role: 'guest', reach: 'all', kinds: IN_PERSON })
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<void> {
    return this.views.delete(caller, id);
  }
}
