import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuthModule } from '../auth/index.js';
import { WorkspacesModule } from '../workspaces/index.js';
import { AdmissionService } from './admission.service.js';
import { CompanyWays } from './company/company-ways.js';
import { SignInLinkMakingService } from './links/sign-in-link-making.service.js';
import { SignInLinkUseService } from './links/sign-in-link-use.service.js';
import { SignInLink } from './links/sign-in-link.entity.js';
import { SignInLinksController } from './links/sign-in-links.controller.js';
import { SignInLinksRepository } from './links/sign-in-links.repository.js';
import { OpenId } from './open-id/open-id.js';
import { ProvisionedAccountsService } from './scim/provisioned-accounts.service.js';
import { ProvisionedGroupsService } from './scim/provisioned-groups.service.js';
import { ScimAccountsService } from './scim/scim-accounts.service.js';
import { ScimDescriptionController } from './scim/scim-description.controller.js';
import { ScimGroupMember } from './scim/scim-group-member.entity.js';
import { ScimGroup } from './scim/scim-group.entity.js';
import { ScimGroupsController } from './scim/scim-groups.controller.js';
import { ScimGroupsRepository } from './scim/scim-groups.repository.js';
import { ScimGroupsService } from './scim/scim-groups.service.js';
import { ScimRolesService } from './scim/scim-roles.service.js';
import { ScimUser } from './scim/scim-user.entity.js';
import { ScimUsersController } from './scim/scim-users.controller.js';
import { ScimUsersRepository } from './scim/scim-users.repository.js';
import { ScimUsersService } from './scim/scim-users.service.js';
import { BeginSignInService } from './begin-sign-in.service.js';
import { ExternalIdentitiesRepository } from './external-identities.repository.js';
import { ExternalIdentity } from './external-identity.entity.js';
import { FinishSignInService } from './finish-sign-in.service.js';
import { ProvenAccountsService } from './proven-accounts.service.js';
import { SignInAttempt } from './sign-in-attempt.entity.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { SignInCallbackController } from './sign-in-callback.controller.js';
import { SignInCookie } from './sign-in-cookie.js';
import { SignInWaysController } from './sign-in-ways.controller.js';
import { SignInWays } from './sign-in-ways.js';

const SCIM = [
  ProvisionedAccountsService,
  ProvisionedGroupsService,
  ScimAccountsService,
  ScimGroupsRepository,
  ScimGroupsService,
  ScimRolesService,
  ScimUsersRepository,
  ScimUsersService,
];

/** Signing in at somebody else's: the ways of the settings and of extensions, what follows from what they say, the operator's links, and the
 * people and groups that companies' directories manage (SCIM). */
@Module({
  imports: [
    AuthModule,
    DiscoveryModule,
    TypeOrmModule.forFeature([
      ExternalIdentity,
      ScimGroup,
      ScimGroupMember,
      ScimUser,
      SignInAttempt,
      SignInLink,
    ]),
    WorkspacesModule,
  ],
  controllers: [
    ScimDescriptionController,
    ScimGroupsController,
    ScimUsersController,
    SignInCallbackController,
    SignInLinksController,
    SignInWaysController,
  ],
  providers: [
    AdmissionService,
    BeginSignInService,
    CompanyWays,
    ExternalIdentitiesRepository,
    FinishSignInService,
    OpenId,
    ProvenAccountsService,
    ...SCIM,
    SignInAttemptsRepository,
    SignInCookie,
    SignInLinkMakingService,
    SignInLinksRepository,
    SignInLinkUseService,
    SignInWays,
  ],
  exports: [OpenId],
})
export class SignInModule {}
