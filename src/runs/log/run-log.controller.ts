import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';

import {
  Access,
  type AccessRequest,
  InWorkspace,
  LiveResponses,
  type WorkspaceCaller,
} from '../../core/access/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import {
  ApiByteResponse,
  type ByteContent,
  type GatehouseResponse,
  sendEventStream,
} from '../../core/http/index.js';
import { RunLogDto, RunLogQuery, RunLogStreamQuery, WholeLogQuery } from './run-log.dto.js';
import { RunsService } from '../runs.service.js';
import { READ_RUNS } from '../run-access.js';
import { RunLogService } from './run-log.service.js';
import { RUN_SUBJECT } from './run-visibility.js';
import { inBatches, oneByOne } from './log-events.js';
import { RunLogStream } from './run-log.stream.js';

const EVENT = {
  type: 'object' as const,
  properties: {
    event: { type: 'string' as const, enum: ['phase', 'log', 'lines', 'progress', 'end'] },
    id: { type: 'string' as const, description: 'What `Last-Event-ID` resumes after.' },
    data: { type: 'string' as const, description: 'JSON.' },
  },
};

@ApiTags('runs')
@Controller('v1/runs/:runId/log')
export class RunLogController {
  constructor(
    private readonly runs: RunsService,
    private readonly log: RunLogService,
    private readonly stream: RunLogStream,
    private readonly live: LiveResponses,
  ) {}

  /**
   * Read a run's log
   *
   * A log keeps its first 2,000 lines and its last 8,000, 4 MiB in all. A line between them says how many were dropped. Lines keep
   * their numbers: `next` jumps over those that were dropped, and a line that was read never comes again with another number.
   * `q` also finds lines that were dropped, where the whole log has them.
   */
  @Get()
  @Access(READ_RUNS)
  @ApiOkResponse({ type: RunLogDto })
  read(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('runId') id: string,
    @Query() query: RunLogQuery,
  ): Promise<RunLogDto> {
    return this.log.read(caller, id, query);
  }

  /**
   * Read the whole log of a run as text, or a range of it
   *
   * It also has the lines between the first and last ones, up to 256 MiB of each attempt. Where lines are missing, one says how many.
   * Of a run that goes on it is what there is so far.
   */
  @Get('content')
  @Access(READ_RUNS)
  @ApiByteResponse('text/plain')
  content(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('runId') id: string,
    @Query() query: WholeLogQuery,
  ): Promise<ByteContent> {
    return this.log.content(caller, id, query);
  }

  /**
   * Follow a run's log as server-sent events
   *
   * `phase` events carry `{phase}`, `log` events `{line}`, `progress` events `{progress, message}`, and the last one, `end`, `{status, error}`.
   * `Last-Event-ID` resumes after the line where a connection broke. An id is the number of the line that comes next, counted
   * from 0, and jumps over lines that are no longer kept: a line says how many these were. With `batch=true`, lines that follow each other
   * come together: `lines` events carry `{first, lines, at}`, the number of the first of them and their time. The stream ends within 5 seconds of whatever takes
   * the right to it away, such as the token's revocation. A credential may follow 20 streams at once: 429.
   */
  @Get('stream')
  @Access(READ_RUNS)
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ schema: EVENT, description: 'A stream of server-sent events, each of this form.' })
  @ApiResponse({ status: 429, description: 'Too many requests, or too many streams at once.' })
  async follow(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('runId') id: string,
    @Query() { batch }: RunLogStreamQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: AccessRequest,
    @Res() reply: GatehouseResponse,
  ): Promise<void> {
    await this.runs.visible(caller, id);
    const next = lineNumber(lastEventId);
    const status = async (): Promise<object> => {
      const run = await this.runs.visible(caller, id);
      return { status: run.status, error: run.error };
    };
    const live = this.live.open(request, { kind: RUN_SUBJECT, id });
    const put = batch === 'true' ? inBatches : oneByOne;
    sendEventStream(reply, this.stream.events(id, next, put, status, live.ended), live);
  }
}

function lineNumber(lastEventId: string | undefined): number {
  if (lastEventId === undefined || lastEventId === '') return 0;
  if (/^\d{1,9}$/.test(lastEventId)) return Number(lastEventId);
  throw InvalidRequest.at('last-event-id', 'is not an id that this stream has given');
}
