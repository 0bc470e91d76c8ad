import pg, { type Connection, type FieldDef } from 'pg';
import utils from 'pg/lib/utils.js';

import {
  NO_COLUMNS,
  type PreparedStatement,
  type ResultColumns,
  type ValueTypes,
  columnsOf,
  statementOn,
} from './prepared-statements.js';
import { storableValues } from './storable-json.js';

export interface QueryOutcome {
  rows: Record<string, unknown>[];
  rowCount: number | null;
  /** Of the last statement, such as `COMMIT`. */
  command: string;
}

export interface NamedStatement {
  name: string;
  text: string;
  values?: readonly unknown[];
}

/** What goes with a statement in the same message: the beginning of its transaction before it, or the end after it. */
export interface Around {
  begin?: boolean;
  commit?: boolean;
}

export const BEGIN: NamedStatement = { name: 'begin', text: 'BEGIN' };
export const COMMIT: NamedStatement = { name: 'commit', text: 'COMMIT' };

type Done = (error: Error | null, outcome?: QueryOutcome) => void;

// Its fields are not declared. Of the base, the client in pipeline mode wants no more than that it is one.
const BaseQuery = pg.Query as unknown as new (text: string) => object;

/**
 * A named statement, prepared once for each connection. Its columns are described once too: the same description with each
 * result costs PostgreSQL and us more than most results do.
 */
export class PreparedQuery extends BaseQuery {
  /** The client calls it with the error of a connection that is lost. */
  callback: Done;
  /** Not `rows`, by which the client knows another kind of query. */
  private readonly found: Record<string, unknown>[] = [];
  /** Those that were sent for preparation with this query. */
  private readonly preparing: PreparedStatement[] = [];
  private columns: ResultColumns | null = null;
  private main!: PreparedStatement;
  private rowCount: number | null = null;
  private command = '';
  /** How many statements have completed. */
  private completed = 0;
  private failure: Error | null = null;
  private readonly values: unknown[];

  /** @throws Error for a value that cannot be sent */
  constructor(
    private readonly statement: NamedStatement,
    private readonly around: Around,
    private readonly types: ValueTypes,
    callback: Done,
  ) {
    super('');
    this.callback = callback;
    const values = (statement.values ?? []).map((value) => utils.prepareValue(value));
    this.values = storableValues(statement.text, values);
  }

  submit(connection: Connection): void {
    const { name, text } = this.statement;
    connection.stream.cork();
    try {
      if (this.around.begin) this.execute(connection, BEGIN);
      this.main = statementOn(connection, name, text);
      this.columns = this.main.columns;
      this.execute(connection, this.statement, this.values, this.columns === null);
      if (this.around.commit) this.execute(connection, COMMIT);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.columns = columnsOf(fields, this.types);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.failure) return;
    const { names, parsers, empty } = this.columns!;
    const row: Record<string, unknown> = { ...empty };
    try {
      for (let index = 0; index < names.length; index++) {
        const text = fields[index];
        if (text !== null) row[names[index]!] = parsers[index]!(text!);
      }
    } catch (error) {
      this.failure = error as Error;
    }
    this.found.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const isMain = this.completed === (this.around.begin ? 1 : 0);
    this.completed += 1;
    const end = text.indexOf(' ');
    this.command = end === -1 ? text : text.slice(0, end);
    if (!isMain) return;
    // Such as `INSERT 0 1` or `UPDATE 2`; others end in a word.
    const count = end === -1 ? NaN : Number(text.slice(text.lastIndexOf(' ') + 1));
    this.rowCount = Number.isNaN(count) ? null : count;
    this.main.columns = this.columns ?? NO_COLUMNS;
  }

  handleEmptyQuery(): void {
    this.completed += 1;
  }

  handleReadyForQuery(): void {
    const { failure, found, rowCount, command } = this;
    if (failure) this.callback(failure);
    else this.callback(null, { rows: found, rowCount, command });
  }

  handleError(error: Error): void {
    for (const statement of this.preparing) statement.presence = 'unknown';
    this.callback(error);
  }

  private execute(
    connection: Connection,
    { name, text }: NamedStatement,
    values: unknown[] = [],
    describe = false,
  ): void {
    const statement = statementOn(connection, name, text);
    const wire = connection as unknown as Wire;
    if (statement.presence !== 'sent') {
      if (statement.presence === 'unknown') wire.close({ type: 'S', name });
      wire.parse({ name, text });
      statement.presence = 'sent';
      this.preparing.push(statement);
    }
    wire.bind({ statement: name, values });
    if (describe) wire.describe({ type: 'P' });
    wire.execute();
  }
}

/** As it is; the types of `pg` describe an older form. */
interface Wire {
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: unknown[] }): void;
  describe(what: { type: 'P' }): void;
  close(what: { type: 'S'; name: string }): void;
  execute(): void;
}
