import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { EventHandlers } from './event-handlers.js';
import { EventHandling } from './event-handling.entity.js';
import { EventHandlingDispatcher } from './event-handling-dispatcher.js';
import { EventHandlingMetrics } from './event-handling-metrics.js';
import { EventHandlingService } from './event-handling.service.js';
import { EventHandlingsRepository } from './event-handlings.repository.js';

/** Extensions that are told of events. */
@Module({
  imports: [TypeOrmModule.forFeature([EventHandling])],
  providers: [
    EventHandlers,
    EventHandlingDispatcher,
    EventHandlingMetrics,
    EventHandlingService,
    EventHandlingsRepository,
  ],
})
export class EventHandlersModule {}
