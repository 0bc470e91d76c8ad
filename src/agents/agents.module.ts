import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ScriptsModule } from '../scripts/index.js';
import { Agent } from './agent.entity.js';
import { AgentEventTypes } from './agent.event-types.js';
import { AgentEvents } from './agent.events.js';
import { AgentsController } from './agents.controller.js';
import { AgentsRepository } from './agents.repository.js';
import { AgentsService } from './agents.service.js';

/** Language models that answer people and run the workspace's scripts for them. */
@Module({
  imports: [ScriptsModule, TypeOrmModule.forFeature([Agent])],
  controllers: [AgentsController],
  providers: [AgentEventTypes, AgentEvents, AgentsRepository, AgentsService],
})
export class AgentsModule {}
