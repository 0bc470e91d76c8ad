import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace } from '../../core/access/access.decorator.js';
import { type WorkspaceCaller } from '../../core/access/caller.js';
import { InvalidRequest } from '../../core/http/errors.js';
import { type GatehouseReply } from '../../core/http/request.js';
import { RunLogDto, RunLogQuery } from '../run.dto.js';
import { RunsService } from '../runs.service.js';
import { RunLogRepository } from './run-log.repository.js';
import { RunLogStream } from './run-log.stream.js';

const EVENT = {
  type: 'object' as const,
  properties: {
    event: { type: 'string' as const, enum: ['log', 'progress', 'end'] },
    id: { type: 'string' as const, description: 'What `Last-Event-ID` resumes after.' },
    data: { type: 'string' as const, description: 'JSON.' },
  },
};

@ApiTags('runs')
@Controller('v1/runs/:runId/log')
export class RunLogController {
  constructor(
    private readonly runs: RunsService,
    private readonly log: RunLogRepository,
    private readonly stream: RunLogStream,
  ) {}

  /** Read a run's log */
  @Get()
  @Access({ scope: 'runs:read', role: 'guest' })
  @ApiOkResponse({ type: RunLogDto })
  async read(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('runId') id: string,
    @Query() { after, limit }: RunLogQuery,
  ): Promise<RunLogDto> {
    await this.runs.visible(caller, id);
    const lines = await this.log.read(id, after, limit);
    return { lines, next: after + lines.length };
  }

  /**
   * Follow a run's log as server-sent events
   *
   * `log` events carry `{line}`, `progress` events `{progress, message}`, and the last one, `end`, `{status, error}`.
   * `Last-Event-ID` resumes after the line where a connection broke.
   */
  @Get('stream')
  @Access({ scope: 'runs:read', role: 'guest' })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ schema: EVENT, description: 'A stream of server-sent events, each of this form.' })
  async follow(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('runId') id: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res({ passthrough: true }) reply: GatehouseReply,
  ): Promise<AsyncIterable<string>> {
    await this.runs.visible(caller, id);
    const next = lineNumber(lastEventId);
    const status = async (): Promise<object> => {
      const run = await this.runs.visible(caller, id);
      return { status: run.status, error: run.error };
    };
    reply.setHeader('content-type', 'text/event-stream; charset=utf-8');
    reply.setHeader('cache-control', 'no-store');
    reply.setHeader('x-accel-buffering', 'no');
    return this.stream.events(id, next, status);
  }
}

function lineNumber(lastEventId: string | undefined): number {
  if (lastEventId === undefined || lastEventId === '') return 0;
  if (/^\d{1,9}$/.test(lastEventId)) return Number(lastEventId);
  throw InvalidRequest.at('last-event-id', 'is not an id that this stream has given');
}
