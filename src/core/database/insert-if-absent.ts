import type { ObjectLiteral, QueryDeepPartialEntity, Repository } from 'typeorm';

/** Inserts a row unless a unique constraint or index is in its way. False: there is such a row already. */
export async function insertIfAbsent<Entity extends ObjectLiteral>(
  repository: Repository<Entity>,
  row: QueryDeepPartialEntity<Entity>,
): Promise<boolean> {
  const insert = repository.createQueryBuilder().insert().values(row).orIgnore();
  const { raw } = await insert.updateEntity(false).returning('true AS made').execute();
  return (raw as unknown[]).length === 1;
}
