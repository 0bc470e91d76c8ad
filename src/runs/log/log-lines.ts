import { HEAD_LINES, MOST_BYTES, MOST_LINES } from '../output/log-collector.js';

/** A line of a log. Its number is its place among all that the run has printed, counted from 0. */
export interface LogLine {
  number: number;
  line: string;
}

const inWords = (count: number): string => count.toLocaleString('en-US');
const KEPT = `a log keeps its first ${inWords(HEAD_LINES)} lines and its last ${inWords(MOST_LINES - HEAD_LINES)}, ${MOST_BYTES / 1024 / 1024} MiB in all`;

/**
 * Puts a line where numbers jump, that says how many lines are missing. Its number is that of the last of these, so that numbers
 * grow from one line to the next.
 *
 * @param kept lines from number `after` on
 * @param limit how many lines there may be in the end
 */
export function withGaps(kept: readonly LogLine[], after: number, limit: number): LogLine[] {
  const lines: LogLine[] = [];
  let next = after;
  for (const { number, line } of kept) {
    if (number > next) lines.push({ number: number - 1, line: droppedText(number - next) });
    lines.push({ number, line });
    next = number + 1;
  }
  return lines.slice(0, limit);
}

function droppedText(count: number): string {
  return `[${inWords(count)} ${count === 1 ? 'line was' : 'lines were'} dropped here: ${KEPT}]`;
}
