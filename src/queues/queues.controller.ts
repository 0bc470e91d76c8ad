import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { PageQuery } from '../core/http/index.js';
import { QueueDetailDto, QueueInput, QueuePage, QueuePatch } from './queue.dto.js';
import { QueuesService } from './queues.service.js';

@ApiTags('Queues')
@Controller('v1/workspace/queues')
export class QueuesController {
  constructor(private readonly queues: QueuesService) {}

  /** List the queues, newest first */
  @Get()
  @Access({ scope: 'runs:read', role: 'member', reach: 'all' })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<QueuePage> {
    return this.queues.list(caller, query);
  }

  /**
   * Make a queue
   * @remarks A script is put into it by its `queue`. 409 where the name is taken, and where the workspace has 100 queues.
   */
  @Post()
  @Access({ scope: 'runs:write', role: 'admin', reach: 'all' })
  create(@InWorkspace() caller: WorkspaceCaller, @Body() input: QueueInput): Promise<QueueDetailDto> {
    return this.queues.create(caller, input);
  }

  /** Get a queue with the scripts in it */
  @Get(':name')
  @Access({ scope: 'runs:read', role: 'member', reach: 'all' })
  get(@InWorkspace() caller: WorkspaceCaller, @Param('name') name: string): Promise<QueueDetailDto> {
    return this.queues.get(caller, name);
  }

  /**
   * Change, pause or resume a queue
   * @remarks It counts at once for all that waits. Runs that go on do so, also where more do than may from now on.
   */
  @Patch(':name')
  @Access({ scope: 'runs:write', role: 'admin', reach: 'all' })
  update(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('name') name: string,
    @Body() patch: QueuePatch,
  ): Promise<QueueDetailDto> {
    return this.queues.update(caller, name, patch);
  }

  /**
   * Delete a queue
   * @remarks 409 while scripts are in it, archived ones included.
   */
  @Delete(':name')
  @HttpCode(204)
  @Access({ scope: 'runs:write', role: 'admin', reach: 'all' })
  delete(@InWorkspace() caller: WorkspaceCaller, @Param('name') name: string): Promise<void> {
    return this.queues.delete(caller, name);
  }
}
