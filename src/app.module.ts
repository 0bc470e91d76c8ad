import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';

import { ApprovalsModule } from './approvals/approvals.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { AutomationsModule } from './automations/index.js';
import { BuildWorkerModule } from './builds/worker/build-worker.module.js';
import { AccessModule } from './core/access/access.module.js';
import { ClaimsModule } from './core/claims/claims.module.js';
import { ConfigModule } from './core/config/config.module.js';
import type { Settings } from './core/config/settings.js';
import { CryptoModule } from './core/crypto/crypto.module.js';
import type { ConnectionOptions } from './core/database/connection-options.js';
import { DatabaseModule } from './core/database/database.module.js';
import { DocsModule } from './core/docs/docs.module.js';
import { HttpModule } from './core/http/http.module.js';
import { LifecycleModule } from './core/lifecycle/lifecycle.module.js';
import { MailModule } from './core/mail/mail.module.js';
import { OpenApiModule } from './core/openapi/openapi.module.js';
import { OutboxModule } from './core/outbox/outbox.module.js';
import { QueueModule } from './core/queue/queue.module.js';
import { StorageModule } from './core/storage/storage.module.js';
import { TelemetryModule } from './core/telemetry/telemetry.module.js';
import { ThreadsModule } from './core/threads/threads.module.js';
import { WorkerModule } from './core/worker/worker.module.js';
import { EnvironmentsModule } from './environments/environments.module.js';
import { FilesModule } from './files/files.module.js';
import { FirstRunModule } from './first-run/first-run.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { RunsModule } from './runs/runs.module.js';
import { SchedulesModule } from './schedules/index.js';
import { SchemaModule } from './scripts/schema/schema.module.js';
import { ScriptsModule } from './scripts/scripts.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { TriggersModule } from './triggers/index.js';
import { UsageModule } from './usage/usage.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WorkspacesModule } from './workspaces/workspaces.module.js';

/** The table of contents: which modules a process has, by its role. */
@Module({})
export class AppModule {
  static for(settings: Settings, connection: ConnectionOptions): DynamicModule {
    const core = [
      ConfigModule.of(settings),
      ScheduleModule.forRoot(),
      LifecycleModule,
      ThreadsModule,
      CryptoModule,
      DatabaseModule.connectedTo(connection),
      QueueModule.on(settings),
      ClaimsModule,
      StorageModule,
      OutboxModule,
      MailModule,
      AuditModule,
      AccessModule,
      HttpModule,
      TelemetryModule,
      DocsModule,
      OpenApiModule,
      ...(settings.runsScripts ? [WorkerModule] : []),
    ];
    const runs = RunsModule.for(settings);
    const automations = AutomationsModule.with(runs);
    const domains: DynamicModule['imports'] = [
      ApprovalsModule,
      AuthModule,
      automations,
      ...(settings.runsScripts ? [BuildWorkerModule] : []),
      EnvironmentsModule,
      FilesModule,
      FirstRunModule,
      RetentionModule,
      runs,
      SchedulesModule.for(settings, automations),
      SchemaModule,
      ScriptsModule,
      SecretsModule,
      TriggersModule.with(automations),
      UsageModule,
      WebhooksModule.for(settings),
      WorkspacesModule,
    ];
    return { module: AppModule, imports: [...core, ...domains] };
  }
}
