import { type EntityColumn, columnsOf } from './columns.js';

/** What a statement that writes rows of an entity says of them, each time in the same order. */
export class InsertColumns<Row> {
  /** After `INSERT INTO table`: `id, started_at`. */
  readonly columns: string;
  /** The values of one row as named parameters: `:id, :startedAt, :labels::jsonb`. */
  readonly parameters: string;
  /** The values of the rows of `recordset`: `given."id", given."startedAt"`. */
  readonly given: string;
  private readonly definitions: string;

  constructor(columns: readonly EntityColumn[]) {
    const list = (text: (column: EntityColumn) => string): string => columns.map(text).join(', ');
    this.columns = list(({ column }) => column);
    this.parameters = list(({ property, type }) => `:${property}${/^jsonb?$/.test(type) ? `::${type}` : ''}`);
    this.given = list(({ property }) => `given."${property}"`);
    this.definitions = list(({ property, type }) => `"${property}" ${type}`);
  }

  /**
   * A relation called `given`, of the rows that a parameter holds as a JSON array of objects.
   *
   * @param further definitions of what the objects have besides, such as `"eventId" text`
   */
  recordset(parameter: string, ...further: string[]): string {
    return `json_to_recordset(${parameter}::json) AS given(${[this.definitions, ...further].join(', ')})`;
  }

  /** The type of a row, for `typeof`: it has no value. */
  declare readonly row: Row;
}

/** `insertColumns(Run, 'id', 'startedAt')`: a row is a `Pick<Run, 'id' | 'startedAt'>`. */
export function insertColumns<Entity extends object, Name extends keyof Entity & string>(
  entity: new () => Entity,
  ...names: Name[]
): InsertColumns<Pick<Entity, Name>> {
  return new InsertColumns(columnsOf(entity, names));
}
