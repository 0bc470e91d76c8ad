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

/** A text cut where another occurs in it, whatever its case. */
export function cutAt(text: string, wanted: string): { text: string; isHit: boolean }[] {
  if (wanted === '') return [{ text, isHit: false }];
  const lower = text.toLowerCase();
  // Some letters change their length with their case; then the places would not be the same.
  if (lower.length !== text.length) return [{ text, isHit: false }];
  const cuts: { text: string; isHit: boolean }[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted.toLowerCase()); at !== -1;) {
    if (at > from) cuts.push({ text: text.slice(from, at), isHit: false });
    cuts.push({ text: text.slice(at, at + wanted.length), isHit: true });
    from = at + wanted.length;
    at = lower.indexOf(wanted.toLowerCase(), from);
  }
  if (from < text.length) cuts.push({ text: text.slice(from), isHit: false });
  return cuts;
}
