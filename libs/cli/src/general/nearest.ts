/** What was probably meant: of what there is, that which differs least from what was typed; null where nothing is near. */
export function nearest(typed: string, all: readonly string[]): string | null {
  const most = Math.max(1, Math.floor(typed.length / 3));
  const [best] = all
    .map((text) => ({ text, distance: distance(typed.toLowerCase(), text.toLowerCase()) }))
    .filter((each) => each.distance <= most)
    .sort((one, other) => one.distance - other.distance);
  return best?.text ?? null;
}

/** How many letters are left out, put in, exchanged or swapped with their neighbour (Damerau, optimal string alignment). */
function distance(one: string, other: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], [...Array(other.length + 1).keys()]];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwapped) least = Math.min(least, beforeLast[j - 2]! + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length]!;
}
