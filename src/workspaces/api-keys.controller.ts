import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, NeedsConfirmation, type WorkspaceCaller } from '../core/access/index.js';
import { PageQuery } from '../core/http/index.js';
import { ApiKeyCreatedDto, ApiKeyInput, ApiKeyPage } from './api-key.dto.js';
import { ApiKeysService } from './api-keys.service.js';

@ApiTags('API keys')
@Controller('v1/workspace/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /** List the API keys, newest first */
  @Get()
  @Access({ role: 'admin', kinds: ['session'], reach: 'all' })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<ApiKeyPage> {
    return this.keys.list(caller.workspace.id, query);
  }

  /**
   * Make an API key
   * @remarks The response is the only place where the key is ever shown.
   */
  @Post()
  @Access({ role: 'admin', kinds: ['session'], reach: 'all' })
  @NeedsConfirmation()
  create(@InWorkspace() caller: WorkspaceCaller, @Body() input: ApiKeyInput): Promise<ApiKeyCreatedDto> {
    return this.keys.create(caller.workspace.id, input, caller);
  }

  /**
   * Revoke an API key
   * @remarks Effective at once.
   */
  @Delete(':id')
  @HttpCode(204)
  @Access({ role: 'admin', kinds: ['session'], reach: 'all' })
  revoke(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<void> {
    return this.keys.revoke(caller.workspace.id, id, caller);
  }
}
