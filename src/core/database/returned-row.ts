import type { DeleteQueryBuilder, InsertQueryBuilder, ObjectLiteral, UpdateQueryBuilder } from 'typeorm';

type Write<Entity extends ObjectLiteral> =
  InsertQueryBuilder<Entity> | UpdateQueryBuilder<Entity> | DeleteQueryBuilder<Entity>;

/** Writes one row at most, and returns these properties of it. null: none was written. */
export async function returnedRow<Entity extends ObjectLiteral, Name extends keyof Entity & string>(
  write: Write<Entity>,
  ...properties: Name[]
): Promise<Pick<Entity, Name> | null> {
  const { metadata } = write.expressionMap.mainAlias!;
  const columns = properties.map((property) => {
    const { databaseName } = metadata.findColumnWithPropertyName(property)!;
    return `${databaseName} AS "${property}"`;
  });
  const { raw } = await write.returning(columns.join(', ')).execute();
  return (raw as Pick<Entity, Name>[])[0] ?? null;
}
