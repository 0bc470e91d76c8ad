import { Module } from '@nestjs/common';

import { ApprovalsModule } from '../approvals/index.js';
import { BuildsModule } from '../builds/builds.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { ArchiveScriptAction } from './actions/archive-script.action.js';
import { PublishScriptAction } from './actions/publish-script.action.js';
import { PublishingController } from './publishing.controller.js';
import { PublishingService } from './publishing.service.js';
import { ScriptCatalog } from './script-catalog.js';
import { ScriptCatalogRepository } from './script-catalog.repository.js';
import { ScriptEventTypes } from './script.event-types.js';
import { ScriptEvents } from './script.events.js';
import { ScriptPresenter } from './script-presenter.js';
import { ScriptSettingsController } from './script-settings.controller.js';
import { ScriptSettingsRepository } from './script-settings.repository.js';
import { ScriptSettingsService } from './script-settings.service.js';
import { ScriptUses } from './script-uses.js';
import { ScriptsController } from './scripts.controller.js';
import { ScriptsRepository } from './scripts.repository.js';
import { ScriptsService } from './scripts.service.js';
import { ScriptStatsRepository } from './stats/script-stats.repository.js';
import { VersionsController } from './versions/versions.controller.js';
import { VersionsRepository } from './versions/versions.repository.js';
import { VersionsService } from './versions/versions.service.js';

/** Scripts, their versions, and which of them runs use. */
@Module({
  imports: [ApprovalsModule, BuildsModule, SecretsModule],
  controllers: [ScriptsController, PublishingController, VersionsController, ScriptSettingsController],
  providers: [
    ArchiveScriptAction,
    PublishScriptAction,
    PublishingService,
    ScriptCatalog,
    ScriptCatalogRepository,
    ScriptEventTypes,
    ScriptEvents,
    ScriptPresenter,
    ScriptSettingsRepository,
    ScriptSettingsService,
    ScriptStatsRepository,
    ScriptUses,
    ScriptsRepository,
    ScriptsService,
    VersionsRepository,
    VersionsService,
  ],
  exports: [PublishingService, ScriptCatalog, ScriptUses, ScriptsService, VersionsService],
})
export class ScriptsModule {}
