import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';

import { Foundation1760000000001 } from '../../migrations/0001-foundation.js';
import { Secrets1760000000002 } from '../../migrations/0002-secrets.js';
import { Builds1760000000003 } from '../../migrations/0003-builds.js';
import { People1760000000004 } from '../../migrations/0004-people.js';
import { Approvals1760000000006 } from '../../migrations/0006-approvals.js';
import { Audit1760000000007 } from '../../migrations/0007-audit.js';
import { RunChains1760000000008 } from '../../migrations/0008-run-chains.js';
import { Webhooks1760000000009 } from '../../migrations/0009-webhooks.js';
import { MailAndUsage1760000000005 } from '../../migrations/0005-mail-and-usage.js';
import { Schedules1760000000010 } from '../../migrations/0010-schedules.js';
import { Triggers1760000000011 } from '../../migrations/0011-triggers.js';
import { AskerLast1760000000021 } from '../../migrations/0021-asker-last.js';
import { ChainWidth1760000000022 } from '../../migrations/0022-chain-width.js';
import { BoundedAnswers1760000000051 } from '../../migrations/0051-bounded-answers.js';
import { FairClaims1760000000031 } from '../../migrations/0031-fair-claims.js';
import { LeaseClock1760000000032 } from '../../migrations/0032-lease-clock.js';
import { KeyHolders1760000000033 } from '../../migrations/0033-key-holders.js';
import { Sessions1760000000023 } from '../../migrations/0023-sessions.js';
import { Settings } from '../config/settings.js';
import { ConnectionOptions } from './connection-options.js';
import { Database } from './database.js';
import { migrate } from './migrate.js';
import { Notifications } from './notifications.js';

// Counts and sizes are far below 2^53; as numbers they need no conversion at every place of use.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

const MIGRATIONS = [
  Foundation1760000000001,
  Secrets1760000000002,
  Builds1760000000003,
  People1760000000004,
  Approvals1760000000006,
  Audit1760000000007,
  RunChains1760000000008,
  Webhooks1760000000009,
  MailAndUsage1760000000005,
  Schedules1760000000010,
  Triggers1760000000011,
  AskerLast1760000000021,
  ChainWidth1760000000022,
  BoundedAnswers1760000000051,
  FairClaims1760000000031,
  LeaseClock1760000000032,
  KeyHolders1760000000033,
  Sessions1760000000023,
];

@Global()
@Module({})
export class DatabaseModule {
  static connectedTo(connection: ConnectionOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Settings],
          useFactory: () => ({
            type: 'postgres' as const,
            url: connection.url,
            extra: connection.pool,
            applicationName: 'gatehouse',
            synchronize: false,
            autoLoadEntities: true,
            migrations: MIGRATIONS,
            migrationsTableName: 'migrations',
            retryAttempts: 0,
          }),
          dataSourceFactory: async (options?: DataSourceOptions) => {
            const source = await new DataSource(options!).initialize();
            await migrate(source);
            return source;
          },
        }),
      ],
      providers: [{ provide: ConnectionOptions, useValue: connection }, Database, Notifications],
      exports: [ConnectionOptions, Database, Notifications],
    };
  }
}
