import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuthModule } from '../auth/index.js';
import { EnvironmentsModule } from '../environments/index.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyExpiryMailer } from './api-key-expiry-mailer.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { InvitationAcceptanceService } from './invitations/invitation-acceptance.service.js';
import { InvitationRepliesController } from './invitations/invitation-replies.controller.js';
import { InvitationLinksService } from './invitations/invitation-links.service.js';
import { InvitationRepliesService } from './invitations/invitation-replies.service.js';
import { InvitationTokensService } from './invitations/invitation-tokens.service.js';
import { Invitation } from './invitations/invitation.entity.js';
import { InvitationTeamRemoval } from './invitations/invitation-team-removal.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { InvitationsRepository } from './invitations/invitations.repository.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersRepository } from './members/members.repository.js';
import { MembersService } from './members/members.service.js';
import { OwnershipService } from './members/ownership.service.js';
import { ProvidedMembersService } from './members/provided-members.service.js';
import { StaffMembersService } from './members/staff-members.service.js';
import { Membership } from './membership.entity.js';
import { MemberBudgetRepository } from './member-budget.repository.js';
import { PublishingSettingRepository } from './publishing-setting.repository.js';
import { ProvidedTeamsService } from './teams/provided-teams.service.js';
import { TeamMember } from './teams/team-member.entity.js';
import { TeamMembersRepository } from './teams/team-members.repository.js';
import { TeamMembersService } from './teams/team-members.service.js';
import { TeamDeletionHooks } from './teams/team-deletion-hooks.js';
import { Team } from './teams/team.entity.js';
import { TeamsController } from './teams/teams.controller.js';
import { TeamsRepository } from './teams/teams.repository.js';
import { TeamsService } from './teams/teams.service.js';
import { Workspace } from './workspace.entity.js';
import { WorkspaceEventTypes } from './workspace.event-types.js';
import { SignInSettingsController } from './sign-in-settings.controller.js';
import { SignInSettingsRepository } from './sign-in-settings.repository.js';
import { SignInSettingsService } from './sign-in-settings.service.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesRepository } from './workspaces.repository.js';
import { WorkspaceContentsService } from './workspace-contents.service.js';
import { WorkspacesService } from './workspaces.service.js';
import { ChangeMemberRoleAction, InviteMemberAction, RemoveMemberAction } from './member.actions.js';
import { CreateApiKeyAction, CreateTeamAction, RenameWorkspaceAction } from './workspace.actions.js';

const ACTIONS = [
  ChangeMemberRoleAction,
  CreateApiKeyAction,
  CreateTeamAction,
  InviteMemberAction,
  RemoveMemberAction,
  RenameWorkspaceAction,
];
const MEMBERS = [
  MembersService,
  MembersRepository,
  OwnershipService,
  ProvidedMembersService,
  StaffMembersService,
];
const INVITATIONS = [
  InvitationsService,
  InvitationsRepository,
  InvitationAcceptanceService,
  InvitationLinksService,
  InvitationRepliesService,
  InvitationTokensService,
  InvitationTeamRemoval,
];
const TEAMS = [
  TeamsService,
  TeamsRepository,
  TeamDeletionHooks,
  TeamMembersService,
  TeamMembersRepository,
  ProvidedTeamsService,
];

/** Workspaces, who is in them and in which of their teams, and the keys that act for them. */
@Module({
  imports: [
    AuthModule,
    EnvironmentsModule,
    TypeOrmModule.forFeature([ApiKey, Invitation, Membership, Team, TeamMember, Workspace]),
  ],
  controllers: [
    WorkspacesController,
    ApiKeysController,
    MembersController,
    InvitationsController,
    InvitationRepliesController,
    TeamsController,
    SignInSettingsController,
  ],
  providers: [
    ...ACTIONS,
    ApiKeysService,
    ApiKeysRepository,
    ApiKeyStrategy,
    ApiKeyExpiryMailer,
    ...MEMBERS,
    ...INVITATIONS,
    ...TEAMS,
    MemberBudgetRepository,
    PublishingSettingRepository,
    SignInSettingsRepository,
    SignInSettingsService,
    WorkspaceEventTypes,
    WorkspaceContentsService,
    WorkspacesService,
    WorkspacesRepository,
  ],
  exports: [
    ApiKeysService,
    InvitationsService,
    MembersService,
    ProvidedMembersService,
    MemberBudgetRepository,
    PublishingSettingRepository,
    StaffMembersService,
    TeamsService,
    TeamDeletionHooks,
    WorkspacesService,
  ],
})
export class WorkspacesModule {}
