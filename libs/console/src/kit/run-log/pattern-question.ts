import type { LineRange } from './line-ranges.js';

export interface PatternQuestion {
  pattern: string;
  lines: readonly string[];
}

/** Which of the lines match and where, by their places among those that were sent; or why that cannot be said. */
export type PatternAnswer = { found: [place: number, ranges: LineRange[]][] } | { problem: string };
