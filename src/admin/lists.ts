import type { EntityManager } from 'typeorm';

import { User } from '../auth/index.js';
import { ApiKey, Workspace } from '../workspaces/index.js';

/** More than anybody reads; whoever looks for one names a part of it. */
const MOST_LISTED = 1000;

interface ListedUser {
  id: string;
  email: string;
  name: string;
  createdAt: Date;
  disabledAt: Date | null;
  workspaces: string[];
}

interface ListedWorkspace {
  id: string;
  slug: string;
  name: string;
  plan: string;
  createdAt: Date;
  disabledAt: Date | null;
  owner: string | null;
  members: number;
}

/** How many keys of a workspace somebody has made that still work. */
interface KeyCount {
  slug: string;
  keys: number;
}

/** Accounts whose address or name has `part` in it, the oldest first, with their workspaces. */
export function accounts(manager: EntityManager, part: string): Promise<ListedUser[]> {
  return manager
    .createQueryBuilder(User, 'u')
    .leftJoin('Membership', 'm', 'm.userId = u.id')
    .leftJoin(Workspace, 'w', 'w.id = m.workspaceId AND w.deletedAt IS NULL')
    .select(['u.id AS id', 'u.email AS email', 'u.name AS name'])
    .addSelect(['u.createdAt AS "createdAt"', 'u.disabledAt AS "disabledAt"'])
    .addSelect('array_remove(array_agg(w.slug ORDER BY w.slug), NULL)', 'workspaces')
    .where('position(:part IN u.email) > 0 OR position(:part IN lower(u.name)) > 0', { part })
    .groupBy('u.id')
    .orderBy('u.id')
    .limit(MOST_LISTED)
    .getRawMany<ListedUser>();
}

/** The same for workspaces, also those that are disabled. */
export function workspaces(manager: EntityManager, part: string): Promise<ListedWorkspace[]> {
  return manager
    .createQueryBuilder(Workspace, 'w')
    .leftJoin(User, 'o', 'o.id = w.ownerUserId')
    .leftJoin('Membership', 'm', 'm.workspaceId = w.id')
    .select(['w.id AS id', 'w.slug AS slug', 'w.name AS name', 'w.plan AS plan', 'o.email AS owner'])
    .addSelect(['w.createdAt AS "createdAt"', 'w.deletedAt AS "disabledAt"', 'count(m.id) AS members'])
    .where('position(:part IN w.slug) > 0 OR position(:part IN lower(w.name)) > 0', { part })
    .groupBy('w.id, o.id')
    .orderBy('w.id')
    .limit(MOST_LISTED)
    .getRawMany<ListedWorkspace>();
}

export function keysMadeBy(manager: EntityManager, userId: string): Promise<KeyCount[]> {
  return manager
    .createQueryBuilder(ApiKey, 'k')
    .innerJoin(Workspace, 'w', 'w.id = k.workspaceId AND w.deletedAt IS NULL')
    .select(['w.slug AS slug', 'count(*) AS keys'])
    .where('k.createdByUserId = :userId AND k.revokedAt IS NULL', { userId })
    .groupBy('w.slug')
    .orderBy('w.slug')
    .getRawMany<KeyCount>();
}
