export { ApiKeysService } from './api-keys.service.js';
export { type ProvidedPlace, ProvidedMembersService } from './members/provided-members.service.js';
export { PublishingSettingRepository } from './publishing-setting.repository.js';
export { type TeamUse, TeamDeletionHooks } from './teams/team-deletion-hooks.js';
export { Workspace } from './workspace.entity.js';
export { ApiKey } from './api-key.entity.js';
export { WorkspacePlansService } from './workspace-plans.service.js';
export { WorkspacesModule } from './workspaces.module.js';
export { WorkspacesService } from './workspaces.service.js';
