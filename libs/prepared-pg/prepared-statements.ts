import type { Connection, CustomTypesConfig, FieldDef } from 'pg';

/** The parser for each type of column: a client of `pg` has those of its settings. */
export type ValueTypes = Pick<CustomTypesConfig, 'getTypeParser'>;

/** A column of a result, and how its text becomes a value. */
export interface ResultColumns {
  names: readonly string[];
  parsers: readonly ((text: string) => unknown)[];
  /** A row of nulls, so that all rows of a statement have the same shape. */
  empty: Readonly<Record<string, null>>;
}

/**
 * `new`: the connection does not know it · `sent`: it does, or will before it reads what follows · `unknown`: a query that
 * sent it failed, perhaps at that
 */
type Presence = 'new' | 'sent' | 'unknown';

/** A statement as one connection knows it. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  presence: Presence;
  /** null: not asked for yet. They stay: PostgreSQL refuses a prepared statement whose columns have changed. */
  columns: ResultColumns | null;
}

const connections = new WeakMap<Connection, Map<string, PreparedStatement>>();

/** The statement of this name on a connection. A name always means the same text. */
export function statementOn(connection: Connection, name: string, text: string): PreparedStatement {
  let statements = connections.get(connection);
  if (!statements) connections.set(connection, (statements = new Map()));
  let statement = statements.get(name);
  if (!statement) statements.set(name, (statement = { name, text, presence: 'new', columns: null }));
  return statement;
}

export function columnsOf(fields: readonly FieldDef[], types: ValueTypes): ResultColumns {
  return {
    names: fields.map(({ name }) => name),
    parsers: fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text')),
    empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
  };
}

export const NO_COLUMNS: ResultColumns = { names: [], parsers: [], empty: {} };
