import type { LinePart } from './ansi-parts.js';

/** Where something was found in a line without its colours: from, and up to without. */
export type LineRange = readonly [from: number, to: number];

export interface CutText {
  text: string;
  isHit: boolean;
}

/** Where a text occurs in another, whatever its case. */
export function textRanges(text: string, wanted: string): LineRange[] {
  if (wanted === '') return [];
  const lower = text.toLowerCase();
  // Some letters change their length with their case; then the places would not be the same.
  if (lower.length !== text.length) return [];
  const [ranges, sought] = [[] as LineRange[], wanted.toLowerCase()];
  for (let at = lower.indexOf(sought); at !== -1; at = lower.indexOf(sought, at + sought.length)) {
    ranges.push([at, at + sought.length]);
  }
  return ranges;
}

/** The text of each part of a line, cut where something was found. */
export function cutParts(parts: readonly LinePart[], ranges: readonly LineRange[]): CutText[][] {
  let next = 0;
  return parts.map(({ text }) => {
    const first = next;
    next += text.length;
    return cutText(text, first, ranges);
  });
}

function cutText(text: string, first: number, ranges: readonly LineRange[]): CutText[] {
  const cuts: CutText[] = [];
  let done = 0;
  for (const [from, to] of ranges) {
    const [start, end] = [Math.max(from - first, done), Math.min(to - first, text.length)];
    if (end <= start) continue;
    if (start > done) cuts.push({ text: text.slice(done, start), isHit: false });
    cuts.push({ text: text.slice(start, end), isHit: true });
    done = end;
  }
  if (done < text.length) cuts.push({ text: text.slice(done), isHit: false });
  return cuts;
}
