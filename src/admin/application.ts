import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { AuditTrail } from '../audit/index.js';
import { NewPassword } from '../auth/new-password.js';
import { PasswordResetsRepository } from '../auth/password-resets.repository.js';
import { SessionsRepository } from '../auth/sessions.repository.js';
import { UsersRepository } from '../auth/users.repository.js';
import { ConfigModule } from '../core/config/config.module.js';
import type { Settings } from '../core/config/settings.js';
import { MasterKeyRotationRepository } from '../core/crypto/master-key-rotation.repository.js';
import { MasterKeyRotation } from '../core/crypto/master-key-rotation.js';
import { WorkspaceKeysRepository } from '../core/crypto/workspace-keys.repository.js';
import { ConnectionOptions } from '../core/database/connection-options.js';
import { DatabaseModule } from '../core/database/database.module.js';
import { EmbeddedPostgres } from '../core/database/embedded/embedded-postgres.js';
import { UsageRepository } from '../usage/usage.repository.js';

/** What the operator's commands need of the application: the database, nothing that runs by itself. */
@Module({})
class AdminModule {
  static of(settings: Settings, connection: ConnectionOptions): DynamicModule {
    return {
      module: AdminModule,
      imports: [ConfigModule.of(settings), DatabaseModule.connectedTo(connection)],
      providers: [
        AuditTrail,
        MasterKeyRotation,
        MasterKeyRotationRepository,
        NewPassword,
        PasswordResetsRepository,
        SessionsRepository,
        UsageRepository,
        UsersRepository,
        WorkspaceKeysRepository,
      ],
    };
  }
}

/**
 * Does its work on the instance's database. An embedded one is started for it; `alongside` also takes one that a running
 * Gatehouse has started.
 */
export async function withApplication<T>(
  settings: Settings,
  { alongside }: { alongside: boolean },
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const given =
    settings.databaseUrl ?? (alongside ? await EmbeddedPostgres.runningUrl(settings.dataDirectory) : null);
  const embedded = given === null ? new EmbeddedPostgres({ dataDir: settings.dataDirectory }) : null;
  try {
    const url = given ?? (await embedded!.start()).url;
    const connection = new ConnectionOptions(url, settings.databasePool);
    const app = await NestFactory.createApplicationContext(AdminModule.of(settings, connection), {
      logger: ['warn', 'error', 'fatal'],
      abortOnError: false,
    });
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  } finally {
    await embedded?.stop();
  }
}
