import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ScriptsModule } from '../scripts/index.js';
import { ToolsModule } from '../tools/index.js';
import { UsageModule } from '../usage/index.js';
import { WorkspacesModule } from '../workspaces/index.js';
import { Agent } from './agent.entity.js';
import { AgentEventTypes } from './agent.event-types.js';
import { AgentEventWriter } from './agent.events.js';
import { AgentsController } from './agents.controller.js';
import { AgentsRepository } from './agents.repository.js';
import { AgentsService } from './agents.service.js';
import { ChatResponder } from './chat/chat-responder.js';
import { ChatController } from './chat/chat.controller.js';
import { ChatService } from './chat/chat.service.js';
import { AgentConversationService } from './chat/agent-conversation.service.js';
import { AgentConversation } from './conversations/conversation.entity.js';
import { ConversationEntry } from './conversations/conversation-entry.entity.js';
import { ConversationMessagesService } from './conversations/conversation-messages.service.js';
import { ConversationTurnsService } from './conversations/conversation-turns.js';
import { ConversationsController } from './conversations/conversations.controller.js';
import { ConversationsRepository } from './conversations/conversations.repository.js';
import { ConversationsService } from './conversations/conversations.service.js';
import { AgentSettingsController } from './settings/agent-settings.controller.js';
import { AgentSettingsService } from './settings/agent-settings.service.js';
import { LanguageModels } from './models/language-models.js';

/** Language models that answer people and run the workspace's scripts for them. */
@Module({
  imports: [
    ScriptsModule,
    ToolsModule,
    TypeOrmModule.forFeature([Agent, AgentConversation, ConversationEntry]),
    UsageModule,
    WorkspacesModule,
  ],
  controllers: [AgentsController, ChatController, ConversationsController, AgentSettingsController],
  providers: [
    AgentEventTypes,
    AgentEventWriter,
    AgentSettingsService,
    AgentsRepository,
    AgentsService,
    ChatResponder,
    ChatService,
    ConversationMessagesService,
    ConversationTurnsService,
    ConversationsRepository,
    ConversationsService,
    AgentConversationService,
    LanguageModels,
  ],
})
export class AgentsModule {}
