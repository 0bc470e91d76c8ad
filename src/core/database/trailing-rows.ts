import type { BoundStatement } from './named-parameters.js';

/**
 * A statement that inserts the rows of a parameter, which is a JSON array.
 *
 * @param parameter its place, such as `$1`
 */
export type TrailingInsert = (parameter: string) => string;

/**
 * Rows that a transaction writes last, those of all tables in one statement. What reports a change can wait for the end
 * of it. Together they cost one round trip.
 */
export class TrailingRows {
  private readonly rows = new Map<TrailingInsert, string[]>();

  add(insert: TrailingInsert, rows: readonly object[]): void {
    const texts = rows.map((row) => JSON.stringify(row));
    const before = this.rows.get(insert);
    if (before) before.push(...texts);
    else if (texts.length > 0) this.rows.set(insert, texts);
  }

  /** The statement that writes what was added; null if nothing was. They are gone from here. */
  take(): BoundStatement | null {
    if (this.rows.size === 0) return null;
    const statement: BoundStatement = [
      statementOf([...this.rows.keys()]),
      [...this.rows.values()].map((rows) => `[${rows.join()}]`),
    ];
    this.rows.clear();
    return statement;
  }

  forget(): void {
    this.rows.clear();
  }
}

function statementOf(inserts: readonly TrailingInsert[]): string {
  const texts = inserts.map((insert, index) => insert(`$${index + 1}`));
  const last = texts.pop()!;
  if (texts.length === 0) return last;
  return `WITH ${texts.map((text, index) => `t${index} AS (${text})`).join(', ')} ${last}`;
}
