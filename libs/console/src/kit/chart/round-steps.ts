const MOST = 5;

/** The marks of a scale for whole numbers, from 0 to one that is not below `highest`, in steps as people count: 1, 2 or 5, or tens of those. */
export function roundSteps(highest: number): number[] {
  for (let unit = 1; ; unit *= 10) {
    for (const step of [unit, 2 * unit, 5 * unit]) {
      const count = Math.max(1, Math.ceil(highest / step));
      if (count < MOST) return Array.from({ length: count + 1 }, (_, index) => index * step);
    }
  }
}
