import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';

import {
  Access,
  type AccessRequest,
  InWorkspace,
  LiveResponses,
  type WorkspaceCaller,
} from '../../access/index.js';
import { type GatehouseResponse, sendEventStream } from '../../http/index.js';
import { EventStreamService } from './event-stream.service.js';

/** It takes no parameters: an unknown one is refused. */
class NoQuery {}

const EVENT = {
  type: 'object' as const,
  properties: {
    event: { type: 'string' as const, description: 'The type, or `reset`.', example: 'run.succeeded' },
    id: { type: 'string' as const, description: "The event's id: what `Last-Event-ID` resumes after." },
    data: {
      type: 'string' as const,
      description: 'JSON: `{id, type, createdAt, data}`, as webhook endpoints get it; `{}` for a `reset`.',
    },
  },
};

@ApiTags('Webhooks')
@Controller('v1/workspace/events')
export class EventStreamController {
  constructor(
    private readonly stream: EventStreamService,
    private readonly live: LiveResponses,
  ) {}

  /**
   * Follow what happens in the workspace as server-sent events
   *
   * Each event is sent once it is committed, to whoever may see what it is about. That takes the scope of its family, such as
   * `runs:read` for `run.*`. The caller gets events of scripts that they see; a guest those of runs that they started. Of approval
   * requests, a person gets what they asked for or may decide. An API key that is bound to an environment gets that one's. Whoever
   * may read webhook endpoints follows every event. A credential that sees none is refused.
   *
   * `Last-Event-ID` resumes after an event, for an hour and 1,000 events. Beyond that, and whenever events may have been lost,
   * a `reset` says that everything has to be read again. An event can come twice, with the same id. A client that reads too slowly
   * is cut off. The stream ends within 5 seconds of whatever takes the right to it away, and when its person gets another role.
   * A credential may follow 20 streams at once: 429.
   */
  @Get('stream')
  @Access({ role: 'guest', reach: 'own', followsScopes: true })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ schema: EVENT, description: 'A stream of server-sent events, each of this form.' })
  @ApiResponse({ status: 429, description: 'Too many requests, or too many streams at once.' })
  follow(
    @InWorkspace() caller: WorkspaceCaller,
    @Query() _: NoQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: AccessRequest,
    @Res() reply: GatehouseResponse,
  ): void {
    this.stream.assertMayFollow(caller, lastEventId);
    const live = this.live.open(request);
    sendEventStream(reply, this.stream.events(caller, lastEventId, live), live);
  }
}
