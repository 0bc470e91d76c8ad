import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { READ_ERRORS, SETTLE_ERRORS } from './error-access.js';
import { ErrorGroupDto, ErrorIgnoreInput, ErrorListQuery, ErrorGroupPage } from './error.dto.js';
import { ErrorsService } from './errors.service.js';

@ApiTags('Errors')
@Controller('v1/errors')
export class ErrorsController {
  constructor(private readonly errors: ErrorsService) {}

  /**
   * List what scripts fail of, those first that were seen last
   * @remarks Runs that failed in the same way are one error, by script and environment. Test runs are not counted.
   */
  @Get()
  @Access(READ_ERRORS)
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: ErrorListQuery): Promise<ErrorGroupPage> {
    return this.errors.list(caller, query);
  }

  /**
   * Get an error
   * @remarks Its runs: `GET /v1/runs?errorId=`.
   */
  @Get(':id')
  @Access(READ_ERRORS)
  get(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<ErrorGroupDto> {
    return this.errors.get(caller, id);
  }

  /**
   * Say that an error is resolved
   * @remarks A run that fails with it afterwards opens it again, and is told of as `error.returned`.
   */
  @Post(':id/resolve')
  @HttpCode(200)
  @Access(SETTLE_ERRORS)
  resolve(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<ErrorGroupDto> {
    return this.errors.resolve(caller, id);
  }

  /**
   * Ignore an error, until a moment or for good
   * @remarks Its runs are counted, and nothing is told of it. The first that fails with it after that moment is told of as `error.returned`.
   */
  @Post(':id/ignore')
  @HttpCode(200)
  @Access(SETTLE_ERRORS)
  ignore(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('id') id: string,
    @Body() { until }: ErrorIgnoreInput,
  ): Promise<ErrorGroupDto> {
    return this.errors.ignore(caller, id, until ?? null);
  }

  /** Open an error again that is resolved or ignored */
  @Post(':id/reopen')
  @HttpCode(200)
  @Access(SETTLE_ERRORS)
  reopen(@InWorkspace() caller: WorkspaceCaller, @Param('id') id: string): Promise<ErrorGroupDto> {
    return this.errors.reopen(caller, id);
  }
}
