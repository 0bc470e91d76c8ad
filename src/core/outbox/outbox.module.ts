import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { EventConsumers } from './event-consumers.js';
import { Outbox } from './outbox.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [EventConsumers, Outbox],
  exports: [EventConsumers, Outbox],
})
export class OutboxModule {}
