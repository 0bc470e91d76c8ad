import { Readable } from 'node:stream';

import { Body, Controller, HttpCode, Param, Post, Req, Res, StreamableFile } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiProduces,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';

import {
  Access,
  type AccessRequest,
  InWorkspace,
  type LiveResponse,
  LiveResponses,
  type WorkspaceCaller,
} from '../../core/access/index.js';
import { Settings } from '../../core/config/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import { type GatehouseResponse, IdempotentBy, whenOver } from '../../core/http/index.js';
import { ChatDto, ChatInput, ChatMessageInput } from './chat.dto.js';
import { type ChatAnswer, ChatService } from './chat.service.js';
import { chatStream } from './chat-stream.js';

const EVENT = {
  type: 'object' as const,
  properties: {
    event: { type: 'string' as const, enum: ['text', 'tool', 'run', 'done', 'error'] },
    data: { type: 'string' as const, description: 'JSON.' },
  },
};

@ApiTags('Agents')
@ApiExtraModels(ChatDto, ChatMessageInput)
@Controller('v1/agents')
export class ChatController {
  constructor(
    private readonly chat: ChatService,
    private readonly live: LiveResponses,
    private readonly settings: Settings,
  ) {}

  /**
   * Ask an agent
   *
   * The agent answers with the operator's language model and runs those of its scripts that you may run, as an agent: policies for
   * agents hold its runs, and `startedBy.credentialName` is its name. It is not waited for a person: a held run stands in `runs` with
   * the address where it is approved. Send the conversation again with the next message, since it is not kept here. One message starts
   * at most 20 runs, in 12 turns, 100,000 tokens and 5 minutes (or what the operator has set); `ending` says which of these ended it.
   *
   * With `Accept: text/event-stream` the response is a stream: `text` events carry `{delta}`, `tool` events `{id, name, script, input}`,
   * `run` events `{id, tool, run}` whenever a run's state changes, and the last one is `done` with the whole response, or `error`
   * with the error envelope. Such a request takes no `Idempotency-Key`. Either response ends within 5 seconds of whatever takes the right
   * to it away; runs that were started go on.
   */
  @Post(':agent/chat')
  @HttpCode(200)
  @Access({ scope: 'agents:write', role: 'member', reach: 'own' })
  @IdempotentBy('resource')
  @ApiProduces('application/json', 'text/event-stream')
  @ApiOkResponse({
    description: 'What the agent said and did.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(ChatDto) } },
      'text/event-stream': { schema: EVENT },
    },
  })
  @ApiResponse({ status: 409, description: 'The agent is not enabled.' })
  @ApiResponse({
    status: 503,
    description: 'No language model is set, or it failed; the message says which.',
  })
  async ask(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('agent') slug: string,
    @Body() { messages }: ChatInput,
    @Req() request: AccessRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<ChatDto | StreamableFile> {
    const streams = request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream';
    if (streams && request.headers['idempotency-key'] !== undefined) {
      throw InvalidRequest.at(
        'idempotency-key',
        'cannot be used for a stream, which could not be sent again',
      );
    }
    const live = this.live.open(request);
    whenOver(reply, () => live.close());
    try {
      const answer = await this.chat.begin(caller, slug, messages, request.id);
      return streams ? this.stream(answer, live, request, reply) : await answer(() => undefined, live.ended);
    } catch (error) {
      live.close();
      throw error;
    }
  }

  private stream(
    answer: ChatAnswer,
    live: LiveResponse,
    request: AccessRequest,
    reply: GatehouseResponse,
  ): StreamableFile {
    reply.setHeader('x-accel-buffering', 'no');
    const events = chatStream((tell) => answer(tell, live.ended), request.id, this.settings.baseUrl);
    return new StreamableFile(Readable.from(events, { objectMode: false }), {
      type: 'text/event-stream; charset=utf-8',
    });
  }
}
