import { Injectable } from '@nestjs/common';

import { cutText } from '../../../libs/cut-text/index.js';
import type { OidcProviderSettings } from '../../core/config/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database, violatedConstraint } from '../../core/database/index.js';
import { NotFound } from '../../core/errors/index.js';
import type { GroupChange, GroupNames, MemberChange } from './group-attributes.js';
import type { ScimGroup } from './scim-group.entity.js';
import { ScimGroupsRepository } from './scim-groups.repository.js';
import { ScimProblem } from './scim-problem.js';
import type { ScimList, ScimPage } from './scim-query.js';
import { type LockedPlaces, placesOfGroup, ScimRolesService } from './scim-roles.service.js';
import { ScimUsersRepository } from './scim-users.repository.js';

/** A group with the ids of who is in it. */
export interface WholeGroup extends ScimGroup {
  members?: string[];
}

const MOST_MEMBERS = 20_000;
/** So many people join or leave in one transaction, which holds their workspaces. */
const PORTION = 100;
const TAKEN = 'There is a group of that displayName already.';

/**
 * The groups of a company's directory. A change of many members is made in portions, each with what follows from it: a
 * request that breaks off is sent again, and goes on.
 */
@Injectable()
export class ScimGroupsService {
  constructor(
    private readonly rows: ScimGroupsRepository,
    private readonly people: ScimUsersRepository,
    private readonly roles: ScimRolesService,
    private readonly database: Database,
  ) {}

  list({ id: way }: OidcProviderSettings, { filter, ...page }: ScimPage): Promise<ScimList<ScimGroup>> {
    return this.rows.list(way, filter, page);
  }

  /** @throws NotFound */
  async get(provider: OidcProviderSettings, id: string, withMembers: boolean): Promise<WholeGroup> {
    const group = await this.find(provider, id);
    return withMembers ? { ...group, members: await this.rows.membersOf(id) } : group;
  }

  /** @throws ScimProblem; QuotaExceeded where a workspace may have no more members */
  async create(provider: OidcProviderSettings, { names, members }: GroupChange): Promise<WholeGroup> {
    await this.assertKnown(provider, members);
    const id = newId('scimGroup');
    if (!(await this.rows.insert(id, provider.id, names))) throw new ScimProblem('uniqueness', TAKEN);
    await this.join(provider, { id, ...names }, [...members.joins]);
    return this.get(provider, id, true);
  }

  /** @throws NotFound, ScimProblem, QuotaExceeded */
  async change(
    provider: OidcProviderSettings,
    id: string,
    next: (before: GroupNames) => GroupChange,
  ): Promise<void> {
    const group = await this.find(provider, id);
    const { names, members } = next({ displayName: group.displayName, externalId: group.externalId });
    await this.assertKnown(provider, members);
    if (names.displayName !== group.displayName || names.externalId !== group.externalId) {
      await this.rename(provider, group, names);
    }
    const changed = { id, ...names };
    const before = new Set(await this.rows.membersOf(id));
    const joins = [...members.joins.difference(before)];
    const leaves = [
      ...(members.replaces ? before.difference(members.joins) : before.intersection(members.leaves)),
    ];
    if (before.size - leaves.length + joins.length > MOST_MEMBERS) {
      throw ScimProblem.at('members', `a group has ${MOST_MEMBERS} people at most`);
    }
    await this.leave(provider, changed, leaves);
    await this.join(provider, changed, joins);
    if (joins.length + leaves.length > 0) await this.rows.touch(id);
  }

  /** @throws NotFound */
  async delete(provider: OidcProviderSettings, id: string): Promise<void> {
    const group = await this.find(provider, id);
    do await this.leave(provider, group, await this.rows.membersOf(id));
    while (!(await this.deleteEmpty(id)));
  }

  /** False: somebody has joined meanwhile, who would keep what the group gave them. */
  private deleteEmpty(id: string): Promise<boolean> {
    return this.database.transaction(async () => {
      await this.rows.lockToDelete(id);
      if ((await this.rows.membersOf(id)).length > 0) return false;
      await this.rows.delete(id);
      return true;
    });
  }

  /**
   * Nobody loses anything by joining: what else they are may be told in the next request.
   *
   * @throws NotFound where the group is deleted meanwhile
   */
  private join(
    provider: OidcProviderSettings,
    group: GroupNames & { id: string },
    userIds: string[],
  ): Promise<void> {
    const among = placesOfGroup(provider, group);
    return this.inPortions(provider, userIds, async (portion, places) => {
      if (!(await this.rows.lock(group.id))) throw new NotFound('group');
      // Whoever has been deleted at this moment is left out.
      const known = await this.people.lockKnown(provider.id, portion);
      const people = await this.people.lockActive(provider.id, known);
      await this.rows.add(group.id, known);
      if (among.size > 0) await this.roles.give(provider, places, people, { among });
    });
  }

  private leave(
    provider: OidcProviderSettings,
    group: GroupNames & { id: string },
    userIds: string[],
  ): Promise<void> {
    const among = placesOfGroup(provider, group);
    return this.inPortions(provider, userIds, async (portion, places) => {
      const people = await this.people.lockActive(provider.id, portion);
      await this.rows.remove(group.id, portion);
      if (among.size > 0) await this.roles.apply(provider, places, people, { among });
    });
  }

  /** What its members are follows first. So whoever sends it again after it broke off finds the old name, and goes on. */
  private async rename(provider: OidcProviderSettings, group: ScimGroup, names: GroupNames): Promise<void> {
    const { id } = group;
    if (await this.rows.isNameTaken(provider.id, names.displayName, id))
      throw new ScimProblem('uniqueness', TAKEN);
    const among = placesOfGroup(provider, group, names);
    if (among.size > 0) {
      await this.inPortions(provider, await this.rows.membersOf(id), async (portion, places) => {
        const people = await this.people.lockActive(provider.id, portion);
        await this.roles.apply(provider, places, people, { among, renamed: { id, names } });
      });
    }
    await this.rows.setNames(id, names).catch((error: unknown) => {
      throw violatedConstraint(error) === 'scim_groups_name_key'
        ? new ScimProblem('uniqueness', TAKEN)
        : error;
    });
  }

  private async inPortions(
    provider: OidcProviderSettings,
    ids: readonly string[],
    work: (portion: string[], places: LockedPlaces) => Promise<void>,
  ): Promise<void> {
    for (let at = 0; at < ids.length; at += PORTION) {
      const portion = ids.slice(at, at + PORTION);
      await this.database.transaction(async () => work(portion, await this.roles.lock(provider)));
    }
  }

  /** @throws ScimProblem where somebody is to join whom the directory has not given us */
  private async assertKnown({ id: way }: OidcProviderSettings, { joins }: MemberChange): Promise<void> {
    if (joins.size === 0) return;
    const known = await this.people.known(way, [...joins]);
    const [unknown] = joins.difference(known);
    if (unknown !== undefined)
      throw ScimProblem.at('members', `there is no person "${cutText(unknown, 100)}"`);
  }

  private async find({ id: way }: OidcProviderSettings, id: string): Promise<ScimGroup> {
    const group = await this.rows.find(way, id);
    if (!group) throw new NotFound('group');
    return group;
  }
}
