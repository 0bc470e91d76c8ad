import { type DynamicModule, Module } from '@nestjs/common';

import { AgentsModule } from './agents/index.js';
import { AlertsModule } from './alerts/index.js';
import { ApprovalsModule } from './approvals/index.js';
import { AuditModule } from './audit/index.js';
import { AuthModule } from './auth/index.js';
import { AutomationsModule } from './automations/index.js';
import { BuildWorkerModule } from './builds/index.js';
import { CliCommandsModule } from './cli-commands/index.js';
import { AccessModule, addScopeFamilies } from './core/access/index.js';
import { ConfigModule, type Settings } from './core/config/index.js';
import { ConsoleModule } from './core/console/index.js';
import { type ConnectionOptions, DatabaseModule } from './core/database/index.js';
import { DiskModule } from './core/disk/index.js';
import { CausesModule } from './core/causes/index.js';
import { DocsModule } from './core/docs/index.js';
import { ExtensionsModule, type LoadedExtension } from './core/extensions/index.js';
import { HttpModule } from './core/http/index.js';
import { IdempotencyModule } from './core/idempotency/index.js';
import { KeysModule } from './core/keys/index.js';
import { LifecycleModule } from './core/lifecycle/index.js';
import { LoggingModule, LogLevels } from './core/logging/index.js';
import { MailModule } from './core/mail/index.js';
import { OpenApiModule } from './core/openapi/index.js';
import { OutboxModule } from './core/outbox/index.js';
import { PipelineModule } from './core/pipeline/index.js';
import { QueueModule } from './core/queue/index.js';
import { RateLimitModule } from './core/rate-limit/index.js';
import { SchemaModule } from './core/schema/index.js';
import { StorageModule } from './core/storage/index.js';
import { TelemetryModule } from './core/telemetry/index.js';
import { ThreadsModule } from './core/threads/index.js';
import { Tracing, TracingModule } from './core/tracing/index.js';
import { WorkModule } from './core/work/index.js';
import { WorkerModule } from './core/worker/index.js';
import { EnvironmentsModule } from './environments/index.js';
import { EventHandlersModule } from './event-handlers/index.js';
import { ExtensionServicesModule } from './extension/extension-services.module.js';
import { FailuresModule } from './failures/index.js';
import { FilesModule } from './files/index.js';
import { FirstRunModule } from './first-run/index.js';
import { HostAuthoritiesModule } from './host-authorities/index.js';
import { HooksModule } from './hooks/index.js';
import { LogSinkModule } from './log-sink/index.js';
import { McpModule } from './mcp/index.js';
import { OAuthModule } from './oauth/index.js';
import { PackagesModule } from './packages/index.js';
import { QueuesModule } from './queues/index.js';
import { ProofModule, RunsModule, RunWorkerModule } from './runs/index.js';
import { SavedViewsModule } from './saved-views/index.js';
import { ScheduleFiringModule, SchedulesModule } from './schedules/index.js';
import { ScriptTemplatesModule } from './script-templates/index.js';
import { ScriptsModule } from './scripts/index.js';
import { SecretStoresModule } from './secret-stores/index.js';
import { SecretsModule } from './secrets/index.js';
import { SettingsPagesModule } from './settings-pages/index.js';
import { SignInModule } from './sign-in/index.js';
import { ToolsModule } from './tools/index.js';
import { TriggersModule } from './triggers/index.js';
import { UsageModule } from './usage/index.js';
import { DeliveryWorkerModule, WebhooksModule } from './webhooks/index.js';
import { WorkspacesModule } from './workspaces/index.js';

/** The technical rooms besides those that take what was found at the start. */
const CORE = [
  DiskModule,
  WorkModule,
  LifecycleModule,
  ThreadsModule,
  KeysModule,
  CausesModule,
  QueueModule,
  StorageModule,
  OutboxModule,
  MailModule,
  AuditModule,
  HttpModule,
  RateLimitModule,
  AccessModule,
  IdempotencyModule,
  PipelineModule,
  TelemetryModule,
  DocsModule,
  OpenApiModule,
  ConsoleModule,
];

const DOMAINS = [
  AgentsModule,
  AlertsModule,
  ApprovalsModule,
  AuthModule,
  AutomationsModule,
  CliCommandsModule,
  EnvironmentsModule,
  EventHandlersModule,
  ExtensionServicesModule,
  FailuresModule,
  FilesModule,
  FirstRunModule,
  HostAuthoritiesModule,
  HooksModule,
  LogSinkModule,
  McpModule,
  OAuthModule,
  PackagesModule,
  QueuesModule,
  RunsModule,
  SavedViewsModule,
  SchedulesModule,
  SchemaModule,
  ScriptTemplatesModule,
  ScriptsModule,
  SecretsModule,
  SettingsPagesModule,
  SignInModule,
  ToolsModule,
  TriggersModule,
  UsageModule,
  WebhooksModule,
  WorkspacesModule,
];

/** What a process has besides where it runs scripts. */
const WORKER = [
  WorkerModule,
  BuildWorkerModule,
  DeliveryWorkerModule,
  RunWorkerModule,
  ProofModule,
  ScheduleFiringModule,
];

/** What was made before the application is built. */
interface ProcessParts {
  extensions?: readonly LoadedExtension[];
  tracing?: Tracing;
  logLevels?: LogLevels;
}

/** The table of contents: which modules a process has, by its role. */
@Module({})
export class AppModule {
  static for(
    settings: Settings,
    connection: ConnectionOptions,
    {
      extensions = [],
      tracing = Tracing.OFF,
      logLevels = new LogLevels(settings.logLevel),
    }: ProcessParts = {},
  ): DynamicModule {
    addScopeFamilies(extensions.flatMap(({ scopes }) => scopes));
    const found = [
      ConfigModule.of(settings),
      ExtensionsModule.of(extensions),
      DatabaseModule.connectedTo(connection, extensions),
      TracingModule.of(tracing),
      LoggingModule.of(logLevels),
      SecretStoresModule.of(settings),
    ];
    const worker = settings.runsScripts ? WORKER : [];
    const added = extensions.map(({ module }) => module);
    return { module: AppModule, imports: [...found, ...CORE, ...DOMAINS, ...worker, ...added] };
  }
}
