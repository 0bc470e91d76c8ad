import type { LogLine } from './log-lines.js';

const MOST_TOGETHER = 500;

/** An event of a run's stream. Its id is the number of the line that comes next. */
export function eventText(name: string, id: number, data: object): string {
  return `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}

export function oneByOne(lines: readonly LogLine[]): string {
  return lines.map(({ number, line }) => eventText('log', number + 1, { line })).join('');
}

/** Lines that follow each other and were stored at once, in one event. */
export function inBatches(lines: readonly LogLine[]): string {
  let text = '';
  for (let from = 0; from < lines.length;) {
    const { number: first, at } = lines[from]!;
    let to = from + 1;
    while (to < lines.length && to - from < MOST_TOGETHER && belongs(lines[to]!, first + to - from, at)) to++;
    const together = lines.slice(from, to).map(({ line }) => line);
    text += eventText('lines', first + together.length, { first, lines: together, at: at ?? null });
    from = to;
  }
  return text;
}

function belongs(line: LogLine, number: number, at: LogLine['at']): boolean {
  return line.number === number && line.at?.getTime() === at?.getTime();
}
