import type { ObjectLiteral, Repository } from 'typeorm';

import type { Expired } from './expires.decorator.js';

/**
 * Deletes rows whose moment is too long ago, the oldest first. Rows that somebody has locked are left for the next round.
 *
 * @param moment the property that says when
 * @returns how many there were
 */
export async function deleteOldest<Row extends ObjectLiteral>(
  rows: Repository<Row>,
  moment: keyof Row & string,
  { age, most }: Expired,
): Promise<number> {
  const { primaryColumns } = rows.metadata;
  const old = rows
    .createQueryBuilder('old')
    .select(primaryColumns.map(({ propertyPath }) => `old.${propertyPath}`))
    .where(`old.${moment} < now() - :age * interval '1 millisecond'`, { age })
    .orderBy(`old.${moment}`)
    .limit(most)
    .setLock('pessimistic_write')
    .setOnLocked('skip_locked');
  const key = primaryColumns.map(({ databaseName }) => databaseName).join(', ');
  const { affected } = await rows
    .createQueryBuilder()
    .delete()
    // Materialized: as a subquery it might be asked more than once, and then lock more than `most`.
    .addCommonTableExpression(old, 'old', { materialized: true })
    .where(`(${key}) IN (SELECT * FROM old)`)
    .execute();
  return affected!;
}
