type Due<Item> = Item & { nextRunAt: string };

/** Those that are on, the next one first. */
export function nextDue<Item extends { nextRunAt: string | null }>(
  items: readonly Item[],
  count: number,
): Due<Item>[] {
  return items
    .filter((item): item is Due<Item> => item.nextRunAt !== null)
    .toSorted((one, other) => Date.parse(one.nextRunAt) - Date.parse(other.nextRunAt))
    .slice(0, count);
}

const SOON_MS = 5_000;
const LONGEST_MS = 86_400_000;

/** No event tells that a schedule was due: when its next time is worth reading again. */
export function msUntilDue(items: readonly { nextRunAt: string | null }[], now: number): number | false {
  const [first] = nextDue(items, 1);
  if (!first) return false;
  return Math.min(LONGEST_MS, Math.max(SOON_MS, Date.parse(first.nextRunAt) - now + SOON_MS));
}
