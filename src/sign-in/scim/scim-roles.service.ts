import { Injectable } from '@nestjs/common';

import { SYSTEM } from '../../audit/index.js';
import type { Person } from '../../core/access/index.js';
import { decidedWorkspaces, type OidcProviderSettings } from '../../core/config/index.js';
import { ProvidedMembersService } from '../../workspaces/index.js';
import { membershipsOf } from '../memberships.js';
import type { GroupNames } from './group-attributes.js';
import { type JoinedGroup, ScimGroupsRepository } from './scim-groups.repository.js';

/** Ids of workspaces by slug, all of which are locked. */
export type LockedPlaces = ReadonlyMap<string, string>;

interface RoleChange {
  /** The slugs of the only workspaces that it is about; without them, all that the settings decide about. */
  among?: ReadonlySet<string>;
  /** A group that is about to get other names. */
  renamed?: { id: string; names: GroupNames };
}

/** What a directory's groups are here, by the very settings that count at a sign-in. */
@Injectable()
export class ScimRolesService {
  constructor(
    private readonly members: ProvidedMembersService,
    private readonly groups: ScimGroupsRepository,
  ) {}

  /** Before any person is locked: whoever signs in locks in this order too. */
  lock(provider: OidcProviderSettings): Promise<LockedPlaces> {
    return this.members.lock([...decidedWorkspaces(provider)]);
  }

  /** Gives people what their groups are, and takes nothing: their other groups may be told of later. */
  give(
    provider: OidcProviderSettings,
    places: LockedPlaces,
    people: readonly Person[],
    change: RoleChange = {},
  ): Promise<void> {
    return this.carryOut(provider, places, people, change, 'give');
  }

  /** Makes people what their groups are, neither more nor less. */
  apply(
    provider: OidcProviderSettings,
    places: LockedPlaces,
    people: readonly Person[],
    change: RoleChange = {},
  ): Promise<void> {
    return this.carryOut(provider, places, people, change, 'apply');
  }

  private async carryOut(
    provider: OidcProviderSettings,
    places: LockedPlaces,
    people: readonly Person[],
    { among, renamed }: RoleChange,
    how: 'give' | 'apply',
  ): Promise<void> {
    const joined = Object.groupBy(
      await this.groups.joinedBy(
        provider.id,
        people.map(({ id }) => id),
      ),
      ({ userId }) => userId,
    );
    for (const person of people) {
      const groups = namesOf(provider, joined[person.id] ?? [], renamed);
      for (const { workspace, role, teams = {} } of membershipsOf(provider, groups)) {
        const workspaceId = places.get(workspace);
        if (workspaceId === undefined || among?.has(workspace) === false) continue;
        await this.members[how](person, { workspaceId, role, teams }, SYSTEM, provider.id);
      }
    }
  }
}

/** The slugs of the workspaces in which a group is something. */
export function placesOfGroup(provider: OidcProviderSettings, ...groups: GroupNames[]): Set<string> {
  const names = new Set(groups.flatMap((group) => calledIn(provider, group)));
  return new Set(
    [...provider.roles, ...provider.teams]
      .filter(({ group }) => names.has(group))
      .map(({ workspace }) => workspace),
  );
}

/** What the settings may call somebody's groups. */
export function namesOf(
  provider: Pick<OidcProviderSettings, 'kind'>,
  joined: readonly JoinedGroup[],
  renamed?: RoleChange['renamed'],
): Set<string> {
  return new Set(
    joined.flatMap((group) => calledIn(provider, group.groupId === renamed?.id ? renamed.names : group)),
  );
}

/** As in tokens: Entra's say ids, since any owner of a group there may give it any name; those of others say names. */
function calledIn(
  { kind }: Pick<OidcProviderSettings, 'kind'>,
  { displayName, externalId }: GroupNames,
): string[] {
  if (kind !== 'entra') return [displayName];
  return externalId === null ? [] : [externalId];
}
