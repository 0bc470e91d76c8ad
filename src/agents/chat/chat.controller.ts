import { Body, Controller, HttpCode, Param, Post, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, ApiTags } from '@nestjs/swagger';

import { Access, type AccessRequest, InWorkspace, type WorkspaceCaller } from '../../core/access/index.js';
import { type GatehouseResponse, IdempotentBy } from '../../core/http/index.js';
import { ChatDto, ChatInput, ChatMessageInput } from './chat.dto.js';
import { ApiAnswers } from './chat-docs.js';
import { ChatResponder } from './chat-responder.js';
import { ChatService } from './chat.service.js';

@ApiTags('Agents')
@ApiExtraModels(ChatDto, ChatMessageInput)
@Controller('v1/agents')
export class ChatController {
  constructor(
    private readonly chat: ChatService,
    private readonly responder: ChatResponder,
  ) {}

  /**
   * Ask an agent
   *
   * The agent answers with the operator's language model and runs those of its scripts that you may run, as an agent: policies for
   * agents hold its runs, and `startedBy.credentialName` is its name. It is not waited for a person: a held run stands in `runs` with
   * the address where it is approved. Send the conversation again with the next message, since this route keeps nothing; `POST /v1/agents/{agent}/conversations` begins one that is kept. One message starts
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
  @ApiAnswers()
  @ApiResponse({ status: 409, description: 'The agent is not enabled.' })
  ask(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('agent') slug: string,
    @Body() { messages }: ChatInput,
    @Req() request: AccessRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<ChatDto | StreamableFile> {
    return this.responder.respond(request, reply, () => this.chat.begin(caller, slug, messages, request.id));
  }
}
