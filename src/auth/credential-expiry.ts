import { Any, type EntityTarget, type FindOptionsWhere, IsNull, Raw, type Repository } from 'typeorm';

import { NOW } from '../core/database/index.js';
import type { TokenEntity } from './token.entity.js';

/** What somebody is told at once: how many of theirs end, and the first of them. */
export interface EndingCredentials {
  count: number;
  /** With their ends in ISO 8601. */
  first: { name: string; last4: string; expiresAt: string }[];
}

/** So many are named, and the others counted. */
export const NAMED = 20;
/** How many days before the end somebody is told. Whoever made one for less knows that it ends. */
const TOLD_BEFORE = 7;
/** With the first is told what ends within a day after it: what ends from minute to minute is one mail a day. */
const TOLD_WITH = 8;
/** All is taken of those to whom the first so many belong. */
const BATCH = 100;

const endingWithin = (days: number): FindOptionsWhere<TokenEntity> => ({
  revokedAt: IsNull(),
  expiryToldAt: IsNull(),
  expiresAt: Raw(
    (at) =>
      `${at} > now() AND ${at} <= now() + interval '${days} days' AND ${at} - created_at > interval '${TOLD_BEFORE} days'`,
  ),
});

/**
 * Takes all that ends soon of some holders and marks that it is told, so that each is told of once, in however many
 * processes. To be called in the transaction that tells it: by its moment it knows what it has marked.
 *
 * @param by the holder, and what theirs are told apart by
 */
export async function claimEnding<Credential extends TokenEntity, Key extends keyof Credential & string>(
  credentials: Repository<Credential>,
  ...by: [holder: Key, ...others: Key[]]
): Promise<(Pick<Credential, Key> & EndingCredentials)[]> {
  const [holder] = by;
  const due = await credentials
    .createQueryBuilder('c')
    .select(`c.${holder}`, 'id')
    .where(endingWithin(TOLD_BEFORE))
    .orderBy('c.expiresAt')
    .limit(BATCH)
    .getRawMany<{ id: string }>();
  if (due.length === 0) return [];
  const theirs = { [holder]: Any([...new Set(due.map(({ id }) => id))]) };
  await credentials.manager
    .createQueryBuilder()
    .update(credentials.target as EntityTarget<TokenEntity>)
    .set({ expiryToldAt: NOW })
    .where({ ...endingWithin(TOLD_WITH), ...theirs })
    .execute();
  const told = credentials
    .createQueryBuilder('c')
    .select('count(*)::int', 'count')
    .addSelect(
      `(array_agg(json_build_object('name', c.name, 'last4', c.last4, 'expiresAt', c.expiresAt)
        ORDER BY c.expiresAt, c.id))[1:${NAMED}]`,
      'first',
    )
    .where({ ...theirs, revokedAt: IsNull(), expiryToldAt: Raw((at) => `${at} = now()`) });
  for (const key of by) told.addSelect(`c.${key}`, key).addGroupBy(`c.${key}`);
  return told.getRawMany();
}
