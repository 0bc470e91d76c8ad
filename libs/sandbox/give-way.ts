interface Idle {
  owner: string;
  usedAt: number;
}

/** Which of these ends first: of the owner whose weigh the most together, the one that was used longest ago. null: there is none. */
export function firstToGiveWay<T extends Idle>(idle: readonly T[], weightOf: (one: T) => number): T | null {
  const weights = new Map<string, number>();
  for (const one of idle) weights.set(one.owner, (weights.get(one.owner) ?? 0) + weightOf(one));
  const [first = null] = idle.toSorted(
    (one, other) => weights.get(other.owner)! - weights.get(one.owner)! || one.usedAt - other.usedAt,
  );
  return first;
}
