import { type DynamicModule, Module } from '@nestjs/common';

import { AgentsModule } from './agents/index.js';
import { ApprovalsModule } from './approvals/index.js';
import { AuditModule } from './audit/index.js';
import { AuthModule } from './auth/index.js';
import { AutomationsModule } from './automations/index.js';
import { BuildWorkerModule } from './builds/index.js';
import { CliCommandsModule } from './cli-commands/index.js';
import { AccessModule } from './core/access/access.module.js';
import { addScopeFamilies } from './core/access/scopes.js';
import { ConfigModule } from './core/config/config.module.js';
import type { Settings } from './core/config/settings.js';
import { ConsoleModule } from './core/console/console.module.js';
import type { ConnectionOptions } from './core/database/connection-options.js';
import { DatabaseModule } from './core/database/database.module.js';
import { DocsModule } from './core/docs/docs.module.js';
import { ExtensionsModule } from './core/extensions/extensions.module.js';
import type { LoadedExtension } from './core/extensions/loaded-extension.js';
import { HttpModule } from './core/http/http.module.js';
import { IdempotencyModule } from './core/idempotency/idempotency.module.js';
import { KeysModule } from './core/keys/keys.module.js';
import { LifecycleModule } from './core/lifecycle/lifecycle.module.js';
import { MailModule } from './core/mail/mail.module.js';
import { OpenApiModule } from './core/openapi/openapi.module.js';
import { OutboxModule } from './core/outbox/outbox.module.js';
import { PipelineModule } from './core/pipeline/pipeline.module.js';
import { QueueModule } from './core/queue/queue.module.js';
import { RateLimitModule } from './core/rate-limit/rate-limit.module.js';
import { SchemaModule } from './core/schema/schema.module.js';
import { StorageModule } from './core/storage/storage.module.js';
import { TelemetryModule } from './core/telemetry/telemetry.module.js';
import { ThreadsModule } from './core/threads/threads.module.js';
import { TracingModule } from './core/tracing/tracing.module.js';
import { Tracing } from './core/tracing/tracing.js';
import { WorkModule } from './core/work/work.module.js';
import { WorkerModule } from './core/worker/worker.module.js';
import { EnvironmentsModule } from './environments/index.js';
import { ExtensionServicesModule } from './extension/extension-services.module.js';
import { FilesModule } from './files/index.js';
import { FirstRunModule } from './first-run/index.js';
import { McpModule } from './mcp/index.js';
import { OAuthModule } from './oauth/index.js';
import { RunsModule, RunWorkerModule } from './runs/index.js';
import { ScheduleFiringModule, SchedulesModule } from './schedules/index.js';
import { ScriptTemplatesModule } from './script-templates/index.js';
import { ScriptsModule } from './scripts/index.js';
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
  WorkModule,
  LifecycleModule,
  ThreadsModule,
  KeysModule,
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
  ApprovalsModule,
  AuthModule,
  AutomationsModule,
  CliCommandsModule,
  EnvironmentsModule,
  ExtensionServicesModule,
  FilesModule,
  FirstRunModule,
  McpModule,
  OAuthModule,
  RunsModule,
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
const WORKER = [WorkerModule, BuildWorkerModule, DeliveryWorkerModule, RunWorkerModule, ScheduleFiringModule];

/** What was made before the application is built. */
export interface ProcessParts {
  extensions?: readonly LoadedExtension[];
  tracing?: Tracing;
}

/** The table of contents: which modules a process has, by its role. */
@Module({})
export class AppModule {
  static for(
    settings: Settings,
    connection: ConnectionOptions,
    { extensions = [], tracing = Tracing.OFF }: ProcessParts = {},
  ): DynamicModule {
    addScopeFamilies(extensions.flatMap(({ scopes }) => scopes));
    const found = [
      ConfigModule.of(settings),
      ExtensionsModule.of(extensions),
      DatabaseModule.connectedTo(connection, extensions),
      TracingModule.of(tracing),
    ];
    const worker = settings.runsScripts ? WORKER : [];
    const added = extensions.map(({ module }) => module);
    return { module: AppModule, imports: [...found, ...CORE, ...DOMAINS, ...worker, ...added] };
  }
}
