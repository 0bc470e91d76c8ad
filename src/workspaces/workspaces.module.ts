import { Module } from '@nestjs/common';

import { EnvironmentsModule } from '../environments/environments.module.js';
import { CreateApiKeyAction } from './actions/create-api-key.action.js';
import { RenameWorkspaceAction } from './actions/rename-workspace.action.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeys } from './api-keys.service.js';
import { MembersController } from './members.controller.js';
import { MembersRepository } from './members.repository.js';
import { Members } from './members.service.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesRepository } from './workspaces.repository.js';
import { Workspaces } from './workspaces.service.js';

/** Workspaces, who is in them, and the keys that act for them. */
@Module({
  imports: [EnvironmentsModule],
  controllers: [WorkspacesController, ApiKeysController, MembersController],
  providers: [
    ApiKeys,
    ApiKeysRepository,
    CreateApiKeyAction,
    Members,
    MembersRepository,
    RenameWorkspaceAction,
    Workspaces,
    WorkspacesRepository,
  ],
  exports: [ApiKeys, Workspaces],
})
export class WorkspacesModule {}
