import type { StoredLogPart } from '../../files/index.js';

/** Lines that follow each other and lie in one place; `none` are missing. They go from one number up to and without another. */
export interface LogPiece {
  from: number;
  to: number;
  place: 'database' | 'files' | 'none';
  /** Where in the file store. */
  blobKey: string | null;
  /** As text. null: to be counted, since only a part of what lies together is meant. */
  bytes: number | null;
}

export type CountedPiece = LogPiece & { bytes: number };

/** Lines that lie together in the database. */
export interface StoredChunk {
  firstLine: number;
  lines: number;
  bytes: number;
}

/**
 * Where the lines of a log lie, in order and each once. A line may be in both places for a moment, or for ever where a worker was lost.
 *
 * @param from the first line that is wanted
 * @param to the one behind the last; infinite while more may come
 */
export function piecesOf(
  chunks: readonly StoredChunk[],
  parts: readonly StoredLogPart[],
  { from, to }: { from: number; to: number },
): LogPiece[] {
  const pieces: LogPiece[] = [];
  let next = from;
  const add = (until: number, fields: Pick<LogPiece, 'place' | 'blobKey' | 'bytes'>): void => {
    pieces.push({ from: next, to: until, ...fields });
    next = until;
  };
  const addMissing = (until: number): void => {
    if (until > next) add(until, missing(until - next));
  };
  let at = 0;
  const addChunks = (until: number): void => {
    for (; at < chunks.length && chunks[at]!.firstLine < until; at++) {
      const { firstLine, lines, bytes } = chunks[at]!;
      const end = firstLine + lines;
      if (end <= next) continue;
      addMissing(firstLine);
      const isWhole = firstLine === next && end <= until;
      add(Math.min(end, until), { place: 'database', blobKey: null, bytes: isWhole ? bytes : null });
      if (end > until) return;
    }
  };
  for (const { firstLine, lines, size, blobKey } of parts) {
    if (firstLine < next || firstLine >= to) continue;
    addChunks(firstLine);
    addMissing(firstLine);
    add(firstLine + lines, { place: 'files', blobKey, bytes: size });
  }
  addChunks(to);
  // A worker that was lost had counted lines that it had not stored. Where nothing is left, the log has been deleted.
  if (pieces.length > 0 && to < Infinity) addMissing(to);
  return pieces;
}

/** How many lines are nowhere. */
export function missingIn(pieces: readonly LogPiece[]): number {
  return pieces.reduce((sum, { place, from, to }) => sum + (place === 'none' ? to - from : 0), 0);
}

/** Whether the file store has all lines of a range. */
export function arePut(parts: readonly StoredLogPart[], from: number, to: number): boolean {
  let next = from;
  for (const { firstLine, lines } of parts) if (firstLine <= next) next = Math.max(next, firstLine + lines);
  return next >= to;
}

/** What stands in place of missing lines. */
export function missingText(count: number): string {
  const lines = count === 1 ? '1 line is' : `${count.toLocaleString('en-US')} lines are`;
  return `[${lines} missing here: the whole log has 256 MiB of an attempt at most, and what could be stored in time]\n`;
}

function missing(count: number): Pick<LogPiece, 'place' | 'blobKey' | 'bytes'> {
  return { place: 'none', blobKey: null, bytes: Buffer.byteLength(missingText(count)) };
}
