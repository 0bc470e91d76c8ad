/** Linux system call numbers. */
export type SeccompArchitecture = 'x64' | 'arm64';

/** null: the call does not exist there. */
export type Numbers = readonly [x64: number | null, arm64: number | null];

export type CallTable = Readonly<Record<string, Numbers>>;

/** Reads `name x64 arm64, …`. @throws TypeError for anything else, or a name that comes twice. */
export function parseCalls(text: string): CallTable {
  const table: Record<string, Numbers> = {};
  const numbers = new Set<string>();
  for (const entry of text.split(',')) {
    const match = /^(\w+) (\d+|-) (\d+|-)$/.exec(entry.trim());
    const [, name = '', ...columns] = match ?? [];
    const places = columns.map((column, index) => `${index}:${column}`).filter((one) => !one.endsWith('-'));
    if (!match || name in table || places.some((place) => numbers.has(place)))
      throw new TypeError(`${JSON.stringify(entry.trim())} is no system call, or one more time`);
    places.forEach((place) => numbers.add(place));
    const [x64, arm64] = columns.map((column) => (column === '-' ? null : Number(column)));
    table[name] = [x64 ?? null, arm64 ?? null];
  }
  return table;
}

/** @returns the number on that architecture, or null where the call does not exist. */
export function numberOf(numbers: Numbers, architecture: SeccompArchitecture): number | null {
  return numbers[architecture === 'x64' ? 0 : 1];
}
