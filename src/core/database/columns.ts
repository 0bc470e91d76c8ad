import { getMetadataArgsStorage } from 'typeorm';

import { snakeCase } from './snake-names.js';

declare const row: unique symbol;

/** The text of a statement's columns, which knows the row that they make. */
export type Columns<Row> = string & { readonly [row]: Row };

/** The row that `columns` selects. */
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
  const known = new Map(
    getMetadataArgsStorage()
      .columns.filter(({ target }) => target === entity)
      .map(({ propertyName, options }) => [propertyName, options.name ?? snakeCase(propertyName)]),
  );
  const selected = names.map((name) => {
    const column = known.get(name);
    if (column === undefined) throw new Error(`${entity.name}.${name} is not a column.`);
    return column === name ? `${alias}.${column}` : `${alias}.${column} AS "${name}"`;
  });
  return selected.join(', ') as Columns<Pick<Entity, Name>>;
}
