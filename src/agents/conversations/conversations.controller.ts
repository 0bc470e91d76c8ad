import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
  type StreamableFile,
} from '@nestjs/common';
import { ApiExtraModels, ApiResponse, ApiTags } from '@nestjs/swagger';

import {
  Access,
  type AccessRequest,
  InWorkspace,
  type WorkspaceCaller,
  type WorkspaceRule,
} from '../../core/access/index.js';
import { type GatehouseResponse, IdempotentBy, PageQuery } from '../../core/http/index.js';
import { ApiAnswers } from '../chat/chat-docs.js';
import { ChatResponder } from '../chat/chat-responder.js';
import { ChatDto } from '../chat/chat.dto.js';
import {
  ConversationDetailDto,
  ConversationDto,
  ConversationMessageInput,
  ConversationPage,
} from './conversation.dto.js';
import { ConversationMessagesService } from './conversation-messages.service.js';
import { ConversationsService } from './conversations.service.js';

const READ: WorkspaceRule = { scope: 'agents:read', role: 'member', reach: 'own' };
const TALK: WorkspaceRule = { scope: 'agents:write', role: 'member', reach: 'own' };

@ApiTags('Agents')
@ApiExtraModels(ChatDto)
@Controller('v1/agents/:agent/conversations')
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly messages: ConversationMessagesService,
    private readonly responder: ChatResponder,
  ) {}

  /**
   * List your conversations with an agent, newest first
   * @remarks In the environment of the request. Nobody sees another's, whatever their role; a key and an app see their own.
   */
  @Get()
  @Access(READ)
  list(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('agent') agent: string,
    @Query() query: PageQuery,
  ): Promise<ConversationPage> {
    return this.conversations.list(caller, agent, query);
  }

  /**
   * Begin a conversation with an agent
   * @remarks It is kept here with all that the agent says, calls and is told, so that its model knows that at the next message. It
   * takes place in the environment of the request, and is deleted 30 days after the last message, or when the operator says.
   */
  @Post()
  @Access(TALK)
  create(@InWorkspace() caller: WorkspaceCaller, @Param('agent') agent: string): Promise<ConversationDto> {
    return this.conversations.create(caller, agent);
  }

  /**
   * Get a conversation with all that was said
   * @remarks Calls about a script that you may not see any more are shown without what they were given and gave.
   */
  @Get(':id')
  @Access(READ)
  get(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('agent') agent: string,
    @Param('id') id: string,
  ): Promise<ConversationDetailDto> {
    return this.conversations.get(caller, agent, id);
  }

  /**
   * Delete a conversation
   * @remarks An answer in progress ends. Runs that it started go on.
   */
  @Delete(':id')
  @HttpCode(204)
  @Access(TALK)
  delete(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('agent') agent: string,
    @Param('id') id: string,
  ): Promise<void> {
    return this.conversations.delete(caller, agent, id);
  }

  /**
   * Say something in a conversation
   *
   * The agent answers as in its chat, with the same limits and the same stream. It answers one message at a time: 409 until then. A
   * run that waits for a person's approval is not waited for. Once it has ended, its result is filled in with your next message, or
   * with one without `content`, which lets the agent go on. Nothing goes on by itself: each turn has the rights of whoever sends it.
   */
  @Post(':id/messages')
  @HttpCode(200)
  @Access(TALK)
  @IdempotentBy('resource')
  @ApiAnswers()
  @ApiResponse({
    status: 409,
    description:
      'The agent is not enabled or still answers, the conversation is full, or there is nothing to go on with.',
  })
  say(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('agent') agent: string,
    @Param('id') id: string,
    @Body() { content }: ConversationMessageInput,
    @Req() request: AccessRequest,
    @Res({ passthrough: true }) reply: GatehouseResponse,
  ): Promise<ChatDto | StreamableFile> {
    return this.responder.respond(request, reply, (ended) =>
      this.messages.begin(caller, { agent, id }, content, { requestId: request.id, ended }),
    );
  }
}
