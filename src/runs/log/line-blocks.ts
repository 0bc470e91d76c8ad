import { newlinesIn } from '../output/line-backlog.js';
import type { LogLine } from './log-lines.js';

const NEWLINE = 0x0a;

/** Lines that follow each other, each with its newline. */
export interface LineBlock {
  first: number;
  lines: number;
  text: Buffer;
}

/** @param first the number of the first line */
export async function* lineBlocks(chunks: AsyncIterable<Buffer>, first: number): AsyncGenerator<LineBlock> {
  let rest: Buffer = Buffer.alloc(0);
  let next = first;
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    rest = bytes.subarray(end);
    if (end === 0) continue;
    const text = bytes.subarray(0, end);
    const lines = newlinesIn(text);
    yield { first: next, lines, text };
    next += lines;
  }
}

export function linesIn({ first, text }: LineBlock): LogLine[] {
  const lines = text.toString('utf8').split('\n');
  lines.pop();
  return lines.map((line, place) => ({ number: first + place, line }));
}

/** @param wanted in lower case */
export function linesWith(block: LineBlock, wanted: string): LogLine[] {
  // Mostly it is in none of them, and they need not be told apart.
  if (!block.text.toString('utf8').toLowerCase().includes(wanted)) return [];
  return linesIn(block).filter(({ line }) => line.toLowerCase().includes(wanted));
}

export function blockOf(lines: readonly LogLine[]): LineBlock {
  const text = lines.map(({ line }) => `${line}\n`).join('');
  return { first: lines[0]!.number, lines: lines.length, text: Buffer.from(text) };
}
