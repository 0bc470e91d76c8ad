import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { ApprovalsModule } from '../approvals/index.js';
import { BuildsModule } from '../builds/index.js';
import { QueuesModule } from '../queues/index.js';
import { SecretsModule } from '../secrets/index.js';
import { WorkspacesModule } from '../workspaces/index.js';
import { PublishingController } from './publishing.controller.js';
import { PublishingService } from './publishing.service.js';
import { CommandDetectionService } from './runtimes/command-detection.service.js';
import { ScriptRuntimes } from './runtimes/script-runtimes.js';
import { ScriptCatalogService } from './script-catalog.service.js';
import { ScriptCatalogRepository } from './script-catalog.repository.js';
import { Script } from './script.entity.js';
import { ScriptEventTypes } from './script.event-types.js';
import { ScriptEventWriter } from './script.events.js';
import { ScriptPresenter } from './script-presenter.js';
import { ScriptSettingsController } from './script-settings.controller.js';
import { ScriptSettingsService } from './script-settings.service.js';
import { ScriptTeamRemoval } from './script-team-removal.js';
import { ScriptUsageHooks } from './script-usage-hooks.js';
import { ScriptVisibility } from './script-visibility.js';
import { ScriptsController } from './scripts.controller.js';
import { ScriptsRepository } from './scripts.repository.js';
import { ScriptsService } from './scripts.service.js';
import { ScriptPerson } from './stats/script-person.entity.js';
import { ScriptStatsRepository } from './stats/script-stats.repository.js';
import { TrialPruner } from './trials/trial-pruner.js';
import { TrialsController } from './trials/trials.controller.js';
import { TrialsRepository } from './trials/trials.repository.js';
import { TrialsService } from './trials/trials.service.js';
import { ScriptVersion } from './versions/script-version.entity.js';
import { VersionPreparationService } from './versions/version-preparation.service.js';
import { VersionUploadService } from './versions/version-upload.service.js';
import { VersionsController } from './versions/versions.controller.js';
import { PublishableVersionsService } from './versions/publishable-versions.service.js';
import { VersionsRepository } from './versions/versions.repository.js';
import { VersionsService } from './versions/versions.service.js';
import { ArchiveScriptAction, PublishScriptAction } from './script.actions.js';

/** Scripts, their versions, and which of them runs use. */
@Module({
  imports: [
    ApprovalsModule,
    BuildsModule,
    QueuesModule,
    SecretsModule,
    TypeOrmModule.forFeature([Script, ScriptPerson, ScriptVersion]),
    WorkspacesModule,
  ],
  controllers: [
    ScriptsController,
    PublishingController,
    VersionsController,
    TrialsController,
    ScriptSettingsController,
  ],
  providers: [
    ArchiveScriptAction,
    CommandDetectionService,
    PublishScriptAction,
    PublishingService,
    ScriptRuntimes,
    ScriptCatalogService,
    ScriptCatalogRepository,
    ScriptEventTypes,
    ScriptEventWriter,
    ScriptPresenter,
    ScriptSettingsService,
    ScriptStatsRepository,
    ScriptTeamRemoval,
    ScriptUsageHooks,
    ScriptVisibility,
    ScriptsRepository,
    ScriptsService,
    TrialPruner,
    TrialsRepository,
    TrialsService,
    VersionPreparationService,
    VersionUploadService,
    PublishableVersionsService,
    VersionsRepository,
    VersionsService,
  ],
  exports: [
    PublishingService,
    ScriptRuntimes,
    ScriptCatalogService,
    ScriptUsageHooks,
    ScriptsService,
    VersionsService,
  ],
})
export class ScriptsModule {}
