import type { InsertQueryBuilder, ObjectLiteral, QueryDeepPartialEntity, Repository } from 'typeorm';

import { returnedRow } from './returned-row.js';

/** Inserts a row unless a unique constraint or index is in its way. False: there is such a row already. */
export async function insertIfAbsent<Entity extends ObjectLiteral>(
  repository: Repository<Entity>,
  row: QueryDeepPartialEntity<Entity>,
): Promise<boolean> {
  const { raw } = await insertOf(repository, row).returning('true AS made').execute();
  return (raw as unknown[]).length === 1;
}

/** The same. Returns these properties of the row as it was made; null: there is such a row already. */
export function insertedIfAbsent<Entity extends ObjectLiteral, Name extends keyof Entity & string>(
  repository: Repository<Entity>,
  row: QueryDeepPartialEntity<Entity>,
  ...properties: Name[]
): Promise<Pick<Entity, Name> | null> {
  return returnedRow(insertOf(repository, row), ...properties);
}

function insertOf<Entity extends ObjectLiteral>(
  repository: Repository<Entity>,
  row: QueryDeepPartialEntity<Entity>,
): InsertQueryBuilder<Entity> {
  return repository.createQueryBuilder().insert().values(row).orIgnore().updateEntity(false);
}
