import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuditTrail } from '../audit/index.js';
import { AccountsModule } from '../auth/index.js';
import { ConfigModule, type Settings } from '../core/config/index.js';
import { checkDatabase, ConnectionOptions, DatabaseModule } from '../core/database/index.js';
import { EmbeddedPostgres } from '../core/database/embedded/index.js';
import { IdempotencyKey, IdempotencyRepository, StoredResponseRemoval } from '../core/idempotency/index.js';
import { RaisedLevel, RaisedLevelsRepository } from '../core/logging/index.js';
import { MasterKeyRotationService, WorkspaceKey, WorkspaceKeysRepository } from '../core/keys/index.js';
import { Mail, MailResealing, MailsRepository } from '../core/mail/index.js';
import { InstanceEntry, InstancesRepository } from '../core/work/index.js';
import { ArtifactResealing, OAuthArtifact, OAuthArtifactsRepository } from '../oauth/index.js';
import { Workspace, WorkspacePlansService } from '../workspaces/index.js';

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
        TypeOrmModule.forFeature([
          IdempotencyKey,
          InstanceEntry,
          Mail,
          OAuthArtifact,
          RaisedLevel,
          Workspace,
          WorkspaceKey,
        ]),
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
        RaisedLevelsRepository,
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
export function withApplication<T>(
  settings: Settings,
  { alongside }: { alongside: boolean },
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  return withDatabase(settings, { alongside }, async (connection) => {
    const app = await NestFactory.createApplicationContext(AdminModule.of(settings, connection), {
      logger: ['warn', 'error', 'fatal'],
      abortOnError: false,
    });
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  });
}

/** The instance's database, with an embedded one started for `work` unless it is running. */
export async function withDatabase<T>(
  settings: Settings,
  { alongside }: { alongside: boolean },
  work: (connection: ConnectionOptions) => Promise<T>,
): Promise<T> {
  if (settings.databaseUrl !== null) await checkDatabase(settings.databaseUrl);
  const given =
    settings.databaseUrl ?? (alongside ? await EmbeddedPostgres.runningUrl(settings.dataDirectory) : null);
  const embedded = given === null ? new EmbeddedPostgres({ dataDir: settings.dataDirectory }) : null;
  try {
    const url = given ?? (await embedded!.start()).url;
    return await work(new ConnectionOptions(url, settings.databasePool));
  } finally {
    await embedded?.stop();
  }
}
