import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';

import { EventChainsRepository } from './event-chains.repository.js';
import { EventConsumers } from './event-consumers.js';
import { EventDispatcher } from './event-dispatcher.js';
import { EventTypes } from './event-types.js';
import { EventTypesController } from './event-types.controller.js';
import { EventsRepository } from './events.repository.js';
import { OutboxEvent } from './outbox-event.entity.js';
import { Outbox } from './outbox.js';
import { EventFeed } from './stream/event-feed.js';
import { EventStreamController } from './stream/event-stream.controller.js';
import { EventStreamService } from './stream/event-stream.service.js';
import { EventVisibility } from './stream/event-visibility.js';

/** Events: their catalogue, the table they wait in, and the way out of it. */
@Global()
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([OutboxEvent])],
  controllers: [EventStreamController, EventTypesController],
  providers: [
    EventChainsRepository,
    EventConsumers,
    EventDispatcher,
    EventFeed,
    EventStreamService,
    EventTypes,
    EventVisibility,
    EventsRepository,
    Outbox,
  ],
  exports: [EventChainsRepository, EventConsumers, EventTypes, EventVisibility, Outbox],
})
export class OutboxModule {}
