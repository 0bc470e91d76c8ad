/** What a command says: words for a person; with `--json`, a value for a program. */
export interface Answer {
  text: string;
  value: unknown;
}

/** Rows below their headings, in columns. */
export function tableOf(
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const lines = [headings, ...rows].map((row) => row.map(String));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The day of a moment, as lists show it. */
export function dayOf(moment: Date | null): string {
  return moment?.toISOString().slice(0, 10) ?? '';
}
