import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';

import { AuditTrail } from '../audit/index.js';
import { NewPassword } from '../auth/new-password.js';
import { PasswordResetsRepository } from '../auth/password-resets.repository.js';
import { SessionsRepository } from '../auth/sessions.repository.js';
import { UsersRepository } from '../auth/users.repository.js';
import { ConfigModule } from '../core/config/config.module.js';
import type { Settings } from '../core/config/settings.js';
import { MasterKeyRotationRepository } from '../core/keys/master-key-rotation.repository.js';
import { MasterKeyRotationService } from '../core/keys/master-key-rotation.service.js';
import { WorkspaceKeysRepository } from '../core/keys/workspace-keys.repository.js';
import { ConnectionOptions } from '../core/database/connection-options.js';
import { DatabaseModule } from '../core/database/database.module.js';
import { EmbeddedPostgres } from '../core/database/embedded/embedded-postgres.js';
import { IdempotencyRepository } from '../core/idempotency/idempotency.repository.js';
import { StoredResponseRemoval } from '../core/idempotency/stored-response-removal.js';
import { MailResealing } from '../core/mail/mail-resealing.js';
import { MailsRepository } from '../core/mail/mails.repository.js';
import { UsageRepository } from '../usage/usage.repository.js';

/** What the operator's commands need of the application: the database, nothing that runs by itself. */
@Module({})
class AdminModule {
  static of(settings: Settings, connection: ConnectionOptions): DynamicModule {
    return {
      module: AdminModule,
      imports: [ConfigModule.of(settings), DiscoveryModule, DatabaseModule.connectedTo(connection)],
      providers: [
        AuditTrail,
        IdempotencyRepository,
        MailResealing,
        MailsRepository,
        MasterKeyRotationService,
        MasterKeyRotationRepository,
        NewPassword,
        PasswordResetsRepository,
        SessionsRepository,
        StoredResponseRemoval,
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
