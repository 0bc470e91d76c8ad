/** Parameters for `unnest`: of each property an array of the rows' values. */
export function arraysOf<Row extends object>(
  rows: readonly Row[],
  ...properties: (keyof Row & string)[]
): unknown[][] {
  return properties.map((property) => rows.map((row) => row[property]));
}
