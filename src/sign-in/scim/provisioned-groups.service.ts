import { Injectable } from '@nestjs/common';

import { UsersService } from '../../auth/index.js';
import type { OidcProviderSettings } from '../../core/config/index.js';
import { ExternalIdentitiesRepository } from '../external-identities.repository.js';
import type { ProvenIdentity } from '../sign-in-way.js';
import { ScimGroupsRepository } from './scim-groups.repository.js';
import { namesOf } from './scim-roles.service.js';
import { ScimUsersRepository } from './scim-users.repository.js';

/** The groups of somebody who signs in, as the company's directory has told them. */
@Injectable()
export class ProvisionedGroupsService {
  constructor(
    private readonly identities: ExternalIdentitiesRepository,
    private readonly users: UsersService,
    private readonly people: ScimUsersRepository,
    private readonly groups: ScimGroupsRepository,
  ) {}

  /** null: the directory manages somebody else, or no groups. */
  async of(
    provider: Pick<OidcProviderSettings, 'id' | 'kind'>,
    { issuer, subject, email, emailVerified }: ProvenIdentity,
  ): Promise<ReadonlySet<string> | null> {
    const { id: way } = provider;
    const known = await this.identities.holder({ way, issuer, subject });
    const userId = known ?? (emailVerified ? ((await this.users.findByEmail(email))?.id ?? null) : null);
    if (userId === null || !(await this.people.find(way, userId)) || !(await this.groups.hasAny(way)))
      return null;
    return namesOf(provider, await this.groups.joinedBy(way, [userId]));
  }
}
