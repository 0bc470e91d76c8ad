import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuditTrail } from '../audit/index.js';
import { AccountsModule } from '../auth/index.js';
import { ConfigModule } from '../core/config/config.module.js';
import type { Settings } from '../core/config/settings.js';
import { checkDatabase } from '../core/database/check-database.js';
import { ConnectionOptions } from '../core/database/connection-options.js';
import { DatabaseModule } from '../core/database/database.module.js';
import { EmbeddedPostgres } from '../core/database/embedded/embedded-postgres.js';
import { IdempotencyKey } from '../core/idempotency/idempotency-key.entity.js';
import { IdempotencyRepository } from '../core/idempotency/idempotency.repository.js';
import { StoredResponseRemoval } from '../core/idempotency/stored-response-removal.js';
import { MasterKeyRotationService } from '../core/keys/master-key-rotation.service.js';
import { WorkspaceKey } from '../core/keys/workspace-key.entity.js';
import { WorkspaceKeysRepository } from '../core/keys/workspace-keys.repository.js';
import { Mail } from '../core/mail/mail.entity.js';
import { MailResealing } from '../core/mail/mail-resealing.js';
import { MailsRepository } from '../core/mail/mails.repository.js';
import { InstanceEntry } from '../core/work/instance.entity.js';
import { InstancesRepository } from '../core/work/instances.repository.js';
import { ArtifactResealing, OAuthArtifact, OAuthArtifactsRepository } from '../oauth/index.js';
import { WorkspacePlansService } from '../workspaces/index.js';

/** The part of the application that the operator's commands need: the database, and nothing that runs by itself. */
@Module({})
class AdminModule {
  static of(settings: Settings, connection: ConnectionOptions): DynamicModule {
    return {
      module: AdminModule,
      // The modules that it imports write to the audit trail.
      global: true,
      imports: [
        AccountsModule,
        ConfigModule.of(settings),
        DatabaseModule.connectedTo(connection),
        DiscoveryModule,
        TypeOrmModule.forFeature([IdempotencyKey, InstanceEntry, Mail, OAuthArtifact, WorkspaceKey]),
      ],
      providers: [
        ArtifactResealing,
        AuditTrail,
        IdempotencyRepository,
        InstancesRepository,
        MailResealing,
        MailsRepository,
        MasterKeyRotationService,
        OAuthArtifactsRepository,
        StoredResponseRemoval,
        WorkspaceKeysRepository,
        WorkspacePlansService,
      ],
      exports: [AuditTrail],
    };
  }
}

/**
 * Does `work` on the instance's database, and starts an embedded one for it. With `alongside`, the embedded one may be
 * running already, for a Gatehouse that is running.
 */
export async function withApplication<T>(
  settings: Settings,
  { alongside }: { alongside: boolean },
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  if (settings.databaseUrl !== null) await checkDatabase(settings.databaseUrl);
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
