import { HEAD_LINES, MOST_BYTES, MOST_LINES } from '../output/log-collector.js';

/** A line of a log. Its number is its place among all that the run has printed, counted from 0. */
export interface LogLine {
  number: number;
  line: string;
  /** When it was stored. Not of lines that were stored before times were kept, or that stand where lines are missing. */
  at?: Date | null;
}

const inWords = (count: number): string => count.toLocaleString('en-US');
const KEPT = `a log keeps its first ${inWords(HEAD_LINES)} lines and its last ${inWords(MOST_LINES - HEAD_LINES)}, ${MOST_BYTES / 1024 / 1024} MiB in all`;

/**
 * Puts a line where numbers jump, that says how many lines are missing. Its number is that of the last of these, so that numbers
 * grow from one line to the next.
 *
 * @param kept lines from number `after` on
 * @param limit how many lines there may be in the end
 * @param isPut whether the file store has all lines of a range
 */
export function withGaps(
  kept: readonly LogLine[],
  after: number,
  limit: number,
  isPut: (from: number, to: number) => boolean = () => false,
): LogLine[] {
  const lines: LogLine[] = [];
  let next = after;
  for (const one of kept) {
    const { number } = one;
    if (number > next)
      lines.push({ number: number - 1, line: droppedText(number - next, isPut(next, number)) });
    lines.push(one);
    next = number + 1;
  }
  return lines.slice(0, limit);
}

/** Whether `withGaps` would put any line between these. */
export function haveGaps(kept: readonly LogLine[], after: number): boolean {
  return kept.some(({ number }, place) => number !== (kept[place - 1]?.number ?? after - 1) + 1);
}

function droppedText(count: number, isPut: boolean): string {
  const lines = `${inWords(count)} ${count === 1 ? 'line was' : 'lines were'}`;
  return `[${lines} dropped here: ${KEPT}${isPut ? '; the whole log has them' : ''}]`;
}
