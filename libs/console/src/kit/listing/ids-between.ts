/** From one row to another, whichever stands first, both included; only the other where the first is not there any more. */
export function idsBetween(rows: readonly { id: string }[], from: string | null, to: string): string[] {
  const first = rows.findIndex(({ id }) => id === from);
  const last = rows.findIndex(({ id }) => id === to);
  if (first < 0 || last < 0) return [to];
  return rows.slice(Math.min(first, last), Math.max(first, last) + 1).map(({ id }) => id);
}
