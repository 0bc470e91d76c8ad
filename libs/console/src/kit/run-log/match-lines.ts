import { plainLine } from './ansi-parts.js';
import type { LineRange } from './line-ranges.js';
import type { PatternAnswer, PatternQuestion } from './pattern-question.js';

/** More places of one line are not marked. */
const MOST_RANGES = 50;

/** Finds the lines that a regular expression matches, whatever their case. Some expressions take forever: see `OffThread`. */
export function matchLines({ pattern, lines }: PatternQuestion): PatternAnswer {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, 'gi');
  } catch (error) {
    return { problem: (error as Error).message };
  }
  const found: [number, LineRange[]][] = [];
  lines.forEach((line, place) => {
    const text = plainLine(line);
    expression.lastIndex = 0;
    if (expression.test(text)) found.push([place, rangesOf(expression, text)]);
  });
  return { found };
}

function rangesOf(expression: RegExp, text: string): LineRange[] {
  const ranges: LineRange[] = [];
  expression.lastIndex = 0;
  for (const { index, 0: match } of text.matchAll(expression)) {
    if (match !== '') ranges.push([index, index + match.length]);
    if (ranges.length === MOST_RANGES) break;
  }
  return ranges;
}
