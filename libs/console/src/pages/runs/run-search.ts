/** What of a run's page stands in its address. */
export interface RunSearch {
  line?: number;
}

export function runSearchOf(search: Record<string, unknown>): RunSearch {
  const line = Number(search['line']);
  return Number.isInteger(line) && line > 0 ? { line } : {};
}
