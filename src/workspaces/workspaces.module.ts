import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuthModule } from '../auth/auth.module.js';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { ChangeMemberRoleAction } from './actions/change-member-role.action.js';
import { CreateApiKeyAction } from './actions/create-api-key.action.js';
import { CreateTeamAction } from './actions/create-team.action.js';
import { InviteMemberAction } from './actions/invite-member.action.js';
import { RemoveMemberAction } from './actions/remove-member.action.js';
import { RenameWorkspaceAction } from './actions/rename-workspace.action.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeys } from './api-keys.service.js';
import { InvitationRepliesController } from './invitations/invitation-replies.controller.js';
import { InvitationExpiryRepository } from './invitations/invitation-expiry.repository.js';
import { InvitationReplies } from './invitations/invitation-replies.service.js';
import { InvitationTokens } from './invitations/invitation-tokens.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationsRepository } from './invitations/invitations.repository.js';
import { Invitations } from './invitations/invitations.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersRepository } from './members/members.repository.js';
import { Members } from './members/members.service.js';
import { TeamMembersRepository } from './teams/team-members.repository.js';
import { TeamMembers } from './teams/team-members.service.js';
import { TeamsController } from './teams/teams.controller.js';
import { TeamsRepository } from './teams/teams.repository.js';
import { Teams } from './teams/teams.service.js';
import { PublishingSettingRepository } from './publishing-setting.repository.js';
import { WorkspaceEventTypes } from './workspace.event-types.js';
import { Workspace } from './workspace.entity.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesRepository } from './workspaces.repository.js';
import { Workspaces } from './workspaces.service.js';

const ACTIONS = [
  ChangeMemberRoleAction,
  CreateApiKeyAction,
  CreateTeamAction,
  InviteMemberAction,
  RemoveMemberAction,
  RenameWorkspaceAction,
];
const MEMBERS = [Members, MembersRepository];
const INVITATIONS = [
  InvitationExpiryRepository,
  InvitationReplies,
  InvitationTokens,
  Invitations,
  InvitationsRepository,
];
const TEAMS = [Teams, TeamsRepository, TeamMembers, TeamMembersRepository];

/** Workspaces, who is in them and in which of their teams, and the keys that act for them. */
@Module({
  imports: [AuthModule, EnvironmentsModule, TypeOrmModule.forFeature([Workspace])],
  controllers: [
    WorkspacesController,
    ApiKeysController,
    MembersController,
    InvitationsController,
    InvitationRepliesController,
    TeamsController,
  ],
  providers: [
    ...ACTIONS,
    ApiKeys,
    ApiKeysRepository,
    ApiKeyStrategy,
    ...MEMBERS,
    ...INVITATIONS,
    ...TEAMS,
    PublishingSettingRepository,
    WorkspaceEventTypes,
    Workspaces,
    WorkspacesRepository,
  ],
  exports: [ApiKeys, Invitations, Members, PublishingSettingRepository, TeamMembers, Teams, Workspaces],
})
export class WorkspacesModule {}
