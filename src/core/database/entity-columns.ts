/** An id: compared byte by byte, which is what makes ids sort by creation. */
export const ID = { type: 'text', collation: 'C' } as const;

/** A moment that the database fills in when the row is made. */
export const CREATED = { type: 'timestamptz', default: () => 'now()' } as const;

/** The text of a check that a column holds one of `values`; `column` is its name in the table. */
export function oneOf(column: string, values: readonly string[]): string {
  return `${column} IN (${values.map((value) => `'${value}'`).join(', ')})`;
}

/** A number that the database computes from other columns and keeps. */
export function computed(asExpression: string) {
  return { type: 'integer', asExpression, generatedType: 'STORED', insert: false, update: false } as const;
}
