import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AutomationsModule } from '../automations/index.js';
import { RunsModule } from '../runs/index.js';
import { ScriptsModule } from '../scripts/index.js';
import { SecretsModule } from '../secrets/index.js';
import { HookEventTypes } from './hook.event-types.js';
import { Hook } from './hook.entity.js';
import { HookReceipt } from './hook-receipt.entity.js';
import { HookSighting } from './hook-sighting.entity.js';
import { HooksController } from './hooks.controller.js';
import { HooksRepository } from './hooks.repository.js';
import { HooksService } from './hooks.service.js';
import { HookAcceptanceService } from './receiving/hook-acceptance.service.js';
import { HookAdmissionService } from './receiving/hook-admission.service.js';
import { HookLimits } from './receiving/hook-limits.js';
import { HookMetrics } from './receiving/hook-metrics.js';
import { HookReceiptsRepository } from './receiving/hook-receipts.repository.js';
import { HookReceiptsService } from './receiving/hook-receipts.service.js';
import { HookReceivingService } from './receiving/hook-receiving.service.js';
import { HookRefusalsService } from './receiving/hook-refusals.service.js';
import { HookRequestsController } from './receiving/hook-requests.controller.js';
import { HookResponsesService } from './receiving/hook-responses.service.js';
import { HookRunsService } from './receiving/hook-runs.service.js';
import { OpenHooks } from './receiving/open-hooks.js';
import { ScriptHooks } from './script-hooks.js';

/** Runs that requests of others start. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Hook, HookReceipt, HookSighting]),
    AutomationsModule,
    RunsModule,
    ScriptsModule,
    SecretsModule,
  ],
  controllers: [HooksController, HookRequestsController],
  providers: [
    HookAcceptanceService,
    HookAdmissionService,
    HookEventTypes,
    HookLimits,
    HookMetrics,
    HookReceiptsRepository,
    HookReceiptsService,
    HookReceivingService,
    HookRefusalsService,
    HookResponsesService,
    HookRunsService,
    HooksRepository,
    HooksService,
    OpenHooks,
    ScriptHooks,
  ],
})
export class HooksModule {}
