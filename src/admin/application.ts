import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuditTrail } from '../audit/index.js';
import { AccountsModule } from '../auth/index.js';
import { ConfigModule, type Settings } from '../core/config/index.js';
import { checkDatabase, ConnectionOptions, DatabaseModule } from '../core/database/index.js';
import { EmbeddedPostgres } from '../core/database/embedded/index.js';
import { IdempotencyKey, IdempotencyRepository, StoredResponseRemoval } from '../core/idempotency/index.js';
import { LogLevels, RaisedLevel, RaisedLevelsRepository, serviceLogger } from '../core/logging/index.js';
import { MasterKeyRotationService, WorkspaceKey, WorkspaceKeysRepository } from '../core/keys/index.js';
import { Mail, MailResealing, MailsRepository } from '../core/mail/index.js';
import { Tracing } from '../core/tracing/index.js';
import { InstanceEntry, InstancesRepository } from '../core/work/index.js';
import { ArtifactResealing, OAuthArtifact, OAuthArtifactsRepository } from '../oauth/index.js';
import { Workspace, WorkspacePlansService } from '../workspaces/index.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
 * Does `work` with the application on the instance's database, and starts an embedded one for it. With `alongside`, the
 * embedded one may be running already, for a Gatehouse that is running.
 */
export function withApplication<T>(
  settings: Settings,
  place: { alongside: boolean },
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  return withDatabase(settings, place, (url) => {
    const connection = new ConnectionOptions(url, settings.databasePool);
    return withModule(settings, AdminModule.of(settings, connection), work);
  });
}

/** Does `work` with what a module makes, and none of it runs by itself. */
export async function withModule<T>(
  settings: Settings,
  module: DynamicModule,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const app = await NestFactory.createApplicationContext(module, {
    // Without what ends it, which the command says.
    logger: serviceLogger(settings, Tracing.OFF, new LogLevels(settings.logLevel)),
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** Does `work` with the address of the instance's database, as `withApplication`. */
export async function withDatabase<T>(
  settings: Settings,
  { alongside }: { alongside: boolean },
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (settings.databaseUrl !== null) await checkDatabase(settings.databaseUrl);
  const given =
    settings.databaseUrl ?? (alongside ? await EmbeddedPostgres.runningUrl(settings.dataDirectory) : null);
  if (given !== null) return work(given);
  return withEmbedded(new EmbeddedPostgres({ dataDir: settings.dataDirectory }), work);
}

/** Does `work` with a database that is thrown away. */
export async function withTemporaryDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-copy-'));
  try {
    return await withEmbedded(new EmbeddedPostgres({ dataDir: directory, settings: { fsync: 'off' } }), work);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function withEmbedded<T>(embedded: EmbeddedPostgres, work: (url: string) => Promise<T>): Promise<T> {
  const interrupted = untilInterrupted();
  try {
    const { url } = await embedded.start();
    return await Promise.race([work(url), interrupted.promise]);
  } finally {
    interrupted.forget();
    await embedded.stop();
  }
}

/** Rejects at the signal that ends the command: the server is another process, and is not to outlive it. */
function untilInterrupted(): { promise: Promise<never>; forget: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const onSignal = (signal: string): void => reject(new Error(`The command was ended by ${signal}.`));
  for (const signal of SIGNALS) process.once(signal, onSignal);
  return { promise, forget: () => SIGNALS.forEach((signal) => process.off(signal, onSignal)) };
}
