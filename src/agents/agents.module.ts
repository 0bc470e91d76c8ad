import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ScriptsModule } from '../scripts/index.js';
import { ToolsModule } from '../tools/index.js';
import { UsageModule } from '../usage/index.js';
import { Agent } from './agent.entity.js';
import { AgentEventTypes } from './agent.event-types.js';
import { AgentEventWriter } from './agent.events.js';
import { AgentsController } from './agents.controller.js';
import { AgentsRepository } from './agents.repository.js';
import { AgentsService } from './agents.service.js';
import { ChatController } from './chat/chat.controller.js';
import { ChatService } from './chat/chat.service.js';
import { AgentConversationService } from './chat/agent-conversation.service.js';
import { LanguageModels } from './models/language-models.js';

/** Language models that answer people and run the workspace's scripts for them. */
@Module({
  imports: [ScriptsModule, ToolsModule, TypeOrmModule.forFeature([Agent]), UsageModule],
  controllers: [AgentsController, ChatController],
  providers: [
    AgentEventTypes,
    AgentEventWriter,
    AgentsRepository,
    AgentsService,
    ChatService,
    AgentConversationService,
    LanguageModels,
  ],
})
export class AgentsModule {}
