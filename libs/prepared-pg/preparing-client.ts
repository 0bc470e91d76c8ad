import { assertDriverVersion } from './driver-version.js';
import {
  type Around,
  BEGIN,
  COMMIT,
  type NamedStatement,
  PreparedQuery,
  type QueryOutcome,
} from './prepared-query.js';
import { QuietClient } from './quiet-client.js';
import { storableValues } from './storable-json.js';

assertDriverVersion();

/** More texts than this are not of a program but of its data, such as lists of many lengths. */
const MOST_STATEMENTS = 500;

type Callback = (error: Error | null, outcome?: QueryOutcome) => void;

/**
 * A connection that has PostgreSQL plan each statement once, those of TypeORM too, which builds the same few texts again and
 * again. Statements that come as an object say themselves whether they have a name. What is asked in one go is written in one
 * go, and a transaction begins and ends with a statement of its own: each write wakes a process of the server, and each
 * response this one, which costs more than what most statements do.
 */
export class PreparingClient extends QuietClient {
  private static readonly names = new Map<string, string>();
  private beginning = false;
  private gathering = false;

  // The overloads of `pg` do not fit one signature; what TypeORM, the pool and `Database` call are the four here.
  override query(...given: unknown[]): never {
    this.gather();
    const statement = namedStatement(given);
    if (statement) return this.run(statement, given.find(isFunction) as Callback | undefined) as never;
    if (this.takeBeginning()) void this.run(BEGIN, () => undefined);
    const [text, values] = given;
    if (typeof text === 'string' && Array.isArray(values)) given[1] = storableValues(text, values);
    return (super.query as (...values: unknown[]) => never).apply(this, given);
  }

  /** The next statement begins a transaction. */
  begin(): void {
    this.beginning = true;
  }

  /** A statement without values and result, such as `SAVEPOINT p1`. */
  async command(text: string): Promise<void> {
    await (this.query(text) as Promise<unknown>);
  }

  /** Ends the transaction, after a last statement where there is one. Resolves with whether it was committed. */
  async commit(last: NamedStatement | null): Promise<boolean> {
    // Nothing was asked: nothing has begun.
    if (last === null && this.takeBeginning()) return true;
    this.gather();
    const { command } = await (last ? this.run(last, undefined, { commit: true }) : this.run(COMMIT))!;
    return command === COMMIT.text;
  }

  /** Undoes what the transaction did, if it did anything. */
  async rollback(): Promise<void> {
    if (!this.takeBeginning()) await super.query('ROLLBACK');
  }

  private run(
    statement: NamedStatement,
    callback?: Callback,
    around: Around = {},
  ): Promise<QueryOutcome> | undefined {
    if (callback) {
      this.send(statement, around, callback);
      return undefined;
    }
    return new Promise((done, fail) => {
      this.send(statement, around, (error, outcome) => (error ? fail(error) : done(outcome!)));
    });
  }

  /** Where a value cannot be sent, nothing is, and it is for the next statement to begin the transaction. */
  private send(statement: NamedStatement, around: Around, callback: Callback): void {
    let query: PreparedQuery;
    try {
      query = new PreparedQuery(statement, { ...around, begin: this.beginning }, this, callback);
    } catch (error) {
      process.nextTick(callback, error);
      return;
    }
    this.beginning = false;
    super.query(query);
  }

  private takeBeginning(): boolean {
    const { beginning } = this;
    this.beginning = false;
    return beginning;
  }

  /** Keeps what is written from now on until whoever runs just now has asked for all that they can. */
  private gather(): void {
    if (this.gathering) return;
    this.gathering = true;
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => {
      this.gathering = false;
      stream.uncork();
    });
  }

  static nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size === MOST_STATEMENTS) return known;
    const name = `t${this.names.size}`;
    this.names.set(text, name);
    return name;
  }
}

function namedStatement([first, values]: unknown[]): NamedStatement | null {
  if (typeof first === 'object' && first !== null) {
    return (first as { name?: string }).name === undefined ? null : (first as NamedStatement);
  }
  if (typeof first !== 'string' || !Array.isArray(values)) return null;
  const name = PreparingClient.nameOf(first);
  return name === undefined ? null : { name, text: first, values };
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
