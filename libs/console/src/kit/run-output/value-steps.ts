const MOST = 5;

/** The marks of a scale that has 0 and all values, in steps as people count: 1, 2 or 5, or tens or tenths of those. */
export function valueSteps(lowest: number, highest: number): number[] {
  const [low, high] = [Math.min(0, lowest), Math.max(0, highest)];
  const unit = 10 ** Math.floor(Math.log10((high - low) / MOST));
  // Also where they are so near to 0 that no step is smaller.
  if (unit === 0) return [0, 1];
  const range = (step: number) => [Math.floor(low / step), Math.ceil(high / step)] as const;
  const fits = (step: number): boolean => range(step)[1] - range(step)[0] <= MOST;
  const step = [unit, 2 * unit, 5 * unit, 10 * unit].find(fits) ?? 20 * unit;
  const [first, last] = range(step);
  return Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step));
}

/** Without what binary fractions add: 0.1 + 0.2. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
