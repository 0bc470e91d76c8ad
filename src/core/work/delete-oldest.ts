import type { ObjectLiteral, Repository, SelectQueryBuilder } from 'typeorm';

import type { Expired } from './expires.decorator.js';

/**
 * Deletes rows whose moment is too long ago, the oldest first.
 *
 * @param moment the property that says when
 * @returns how many there were
 */
export function deleteOldest<Row extends ObjectLiteral>(
  rows: Repository<Row>,
  moment: keyof Row & string,
  { age, most }: Expired,
): Promise<number> {
  const old = rows
    .createQueryBuilder('old')
    .where(`old.${moment} < now() - :age * interval '1 millisecond'`, { age })
    .orderBy(`old.${moment}`);
  return deleteFirst(rows, old, most);
}

/**
 * Deletes the first rows of an ordered query. Rows that somebody has locked are left for the next round.
 *
 * @returns how many there were
 */
export async function deleteFirst<Row extends ObjectLiteral>(
  rows: Repository<Row>,
  wanted: SelectQueryBuilder<Row>,
  most: number,
): Promise<number> {
  const { primaryColumns } = rows.metadata;
  const batch = wanted
    .select(primaryColumns.map(({ propertyPath }) => `${wanted.alias}.${propertyPath}`))
    .limit(most)
    .setLock('pessimistic_write')
    .setOnLocked('skip_locked');
  const key = primaryColumns.map(({ databaseName }) => databaseName).join(', ');
  const { affected } = await rows
    .createQueryBuilder()
    .delete()
    // Materialized: as a subquery it might be asked more than once, and then lock more than `most`.
    .addCommonTableExpression(batch, 'batch', { materialized: true })
    .where(`(${key}) IN (SELECT * FROM batch)`)
    .execute();
  return affected!;
}
