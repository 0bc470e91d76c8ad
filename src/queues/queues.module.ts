import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Queue } from './queue.entity.js';
import { QueueEventTypes } from './queue.event-types.js';
import { QueueHooks } from './queue-hooks.js';
import { QueuesController } from './queues.controller.js';
import { QueuesRepository } from './queues.repository.js';
import { QueuesService } from './queues.service.js';

/** Places that the runs of several scripts share. `RunsModule` gives them. */
@Module({
  imports: [TypeOrmModule.forFeature([Queue])],
  controllers: [QueuesController],
  providers: [QueueEventTypes, QueueHooks, QueuesRepository, QueuesService],
  exports: [QueueHooks, QueuesService],
})
export class QueuesModule {}
