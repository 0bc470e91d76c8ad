import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';

import type { LoadedExtension } from '../extensions/index.js';
import { AmbientDataSource } from './ambient-data-source.js';
import { ConnectionOptions } from './connection-options.js';
import { dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { assertOwnTables } from './extension-tables.js';
import { migrate } from './migrate.js';
import { Notifications } from './notifications.js';

@Global()
@Module({})
export class DatabaseModule {
  static connectedTo(
    connection: ConnectionOptions,
    extensions: readonly LoadedExtension[] = [],
  ): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          // A start fails once, with what the server said: its caller has seen to it that the server is there.
          useFactory: async () => ({
            ...(await dataSourceOptions(connection, extensions)),
            toRetry: () => false,
          }),
          dataSourceFactory: async (options?: DataSourceOptions) => {
            const source = await new AmbientDataSource(options!).initialize();
            try {
              assertOwnTables(source, extensions);
              await migrate(source, extensions);
              return source;
            } catch (error) {
              // Its connections would keep a process alive that has nothing else to do.
              await source.destroy();
              throw error;
            }
          },
        }),
      ],
      providers: [{ provide: ConnectionOptions, useValue: connection }, Database, Notifications],
      exports: [ConnectionOptions, Database, Notifications],
    };
  }
}
