import { BullModule } from '@nestjs/bullmq';
import { Global, Module } from '@nestjs/common';
import { createRedisBackend, setDefaultBackendFactory } from 'bullmq';
import { DataSource } from 'typeorm';

import { Settings } from '../config/index.js';
import { ConnectionOptions } from '../database/index.js';
import { redisOptions } from './redis-options.js';
import { RUNS_QUEUE } from './queues.js';
import { createSharedBackend, SharedConnection } from './shared-backend.js';

// Nest makes the queues also where the database was refused, on which they wait. They must not look for a Redis of their own.
setDefaultBackendFactory(() => {
  throw new Error('The queue has no connection');
});

/**
 * BullMQ, on Redis where there is one and otherwise on the database. All state is in our own tables. The queue only
 * wakes workers (`core/work`). Whatever is lost with it is found by a loop that polls.
 */
@Global()
@Module({
  imports: [
    BullModule.forRootAsync({
      // The database's connection is injected only to be waited for: the queue looks for its tables when it is made,
      // once, so they have to be there by then.
      inject: [Settings, ConnectionOptions, DataSource],
      useFactory: (settings: Settings, database: ConnectionOptions) => {
        if (settings.redisUrl) setDefaultBackendFactory(createRedisBackend as never);
        else setDefaultBackendFactory(createSharedBackend as never);
        return {
          connection: connectionOf(settings, database) as never,
          defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
        };
      },
    }),
    BullModule.registerQueue({ name: RUNS_QUEUE }),
  ],
  exports: [BullModule],
})
export class QueueModule {}

function connectionOf(settings: Settings, database: ConnectionOptions): object {
  if (!settings.redisUrl) return new SharedConnection(database.url);
  // A worker waits for Redis to come back, however long that takes.
  return { ...redisOptions(settings.redisUrl), maxRetriesPerRequest: null };
}
