import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** The rows that `keysetPage` asks for, of a query builder: newest first, after the id where the page before ended. */
export function newestFirst<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  after: string | null,
  count: number,
): SelectQueryBuilder<T> {
  if (after !== null) query.andWhere(`${query.alias}.id < :after`, { after });
  return query.orderBy(`${query.alias}.id`, 'DESC').limit(count);
}
