import { plainLine } from './ansi-parts.js';

/** Finds the lines that contain a text, whatever its case; as the log grows only what is new is looked at. */
export class LineSearch {
  private readonly found: number[] = [];
  private seen = 0;
  private readonly wanted: string;

  constructor(readonly text: string) {
    this.wanted = text.toLowerCase();
  }

  /** The positions of the lines that match, counted from 0. */
  update(lines: readonly string[]): readonly number[] {
    for (; this.seen < lines.length; this.seen++) {
      if (plainLine(lines[this.seen]!).toLowerCase().includes(this.wanted)) this.found.push(this.seen);
    }
    return this.found;
  }
}

/**
 * The position of the hit after or before a line, round and round; null: there is none.
 *
 * @param from the position of that line; -1: of none
 */
export function nextHit(hits: readonly number[], from: number, direction: 1 | -1): number | null {
  const next = direction === 1 ? hits.find((hit) => hit > from) : hits.findLast((hit) => hit < from);
  return next ?? hits.at(direction === 1 ? 0 : -1) ?? null;
}

/** Lines with those around them, each once and in order. */
export function withContext(hits: readonly number[], around: number, lines: number): readonly number[] {
  if (around === 0) return hits;
  const shown: number[] = [];
  for (const hit of hits) {
    const from = Math.max(hit - around, (shown.at(-1) ?? -1) + 1);
    for (let at = from; at <= Math.min(hit + around, lines - 1); at++) shown.push(at);
  }
  return shown;
}
