import pg from 'pg';

/** More texts than this are not of a program but of its data, such as lists of many lengths. */
const MOST_STATEMENTS = 500;

/**
 * Has PostgreSQL plan the statements of TypeORM once for each connection: it builds the same few texts again and again, and
 * does not prepare them. Statements that come as an object say themselves whether they have a name.
 */
export class PreparingClient extends pg.Client {
  private static readonly names = new Map<string, string>();

  // The overloads of `pg` do not fit one signature; what TypeORM and the pool call are the two here.
  override query(...given: unknown[]): never {
    const [text, values, ...rest] = given;
    const name = typeof text === 'string' && Array.isArray(values) ? PreparingClient.nameOf(text) : undefined;
    const call = super.query as (...values: unknown[]) => never;
    return name === undefined ? call.apply(this, given) : call.call(this, { name, text, values }, ...rest);
  }

  private static nameOf(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size === MOST_STATEMENTS) return known;
    const name = `t${this.names.size}`;
    this.names.set(text, name);
    return name;
  }
}
