/** How many values there were of each size, by the number of their bin. */
export type Bins = Record<string, number>;

/** Each bin is so much wider than the one before: what is read of it is at most 2.5 % off. */
const GROWTH = 1.05;

export function binOf(ms: number): number {
  return ms < 1 ? 0 : 1 + Math.round(Math.log(ms) / Math.log(GROWTH));
}

export function secondsOf(bin: number | null): number | null {
  if (bin === null) return null;
  return bin === 0 ? 0 : Math.round(GROWTH ** (bin - 1)) / 1000;
}

export function added(one: Bins, other: Bins): Bins {
  const sum = { ...one };
  for (const [bin, count] of Object.entries(other)) sum[bin] = (sum[bin] ?? 0) + count;
  return sum;
}
