/** Fills an instance with a made-up team. */
export function fill(
  owner: Record<string, string>,
  options: { databaseUrl: string; receivers?: string[]; runs?: number; say?: (line: string) => void },
): Promise<void>;
