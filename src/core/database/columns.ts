import { getMetadataArgsStorage } from 'typeorm';

import { snakeCase } from './snake-names.js';

declare const row: unique symbol;

/** The text of a statement's columns, which knows the row that they make. */
export type Columns<Row> = string & { readonly [row]: Row };

export type RowOf<C extends Columns<unknown>> = C extends Columns<infer Row> ? Row : never;

/**
 * Columns of an entity for a statement that is written in SQL: `columns(Run, 'r', 'id', 'scriptId')` is
 * `r.id, r.script_id AS "scriptId"`, and `RowOf<typeof …>` is `Pick<Run, 'id' | 'scriptId'>`.
 * @throws Error for a property that is no column
 */
export function columns<Entity extends object, Name extends keyof Entity & string>(
  entity: new () => Entity,
  alias: string,
  ...names: Name[]
): Columns<Pick<Entity, Name>> {
  const selected = columnsOf(entity, names).map(({ property, column }) =>
    column === property ? `${alias}.${column}` : `${alias}.${column} AS "${property}"`,
  );
  return selected.join(', ') as Columns<Pick<Entity, Name>>;
}

export interface EntityColumn {
  property: string;
  column: string;
  /** As PostgreSQL calls it. */
  type: string;
}

/** @throws Error for a property that is no column */
export function columnsOf<Entity extends object>(
  entity: new () => Entity,
  properties: readonly (keyof Entity & string)[],
): EntityColumn[] {
  const known = new Map(
    getMetadataArgsStorage()
      .columns.filter(({ target }) => isOrExtends(entity, target))
      .map(({ propertyName, options }) => [propertyName, options]),
  );
  return properties.map((property) => {
    const options = known.get(property);
    if (options === undefined) throw new Error(`${entity.name}.${property} is not a column.`);
    const type = `${String(options.type)}${options.array ? '[]' : ''}`;
    return { property, column: options.name ?? snakeCase(property), type };
  });
}

function isOrExtends(entity: new () => object, target: unknown): boolean {
  return target === entity || (typeof target === 'function' && entity.prototype instanceof target);
}
