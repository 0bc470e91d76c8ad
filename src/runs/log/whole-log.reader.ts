import { Injectable } from '@nestjs/common';

import type { ByteRange } from '../../core/storage/index.js';
import { RunLogPartsService } from '../../files/index.js';
import type { SingleRunRow } from '../run-columns.js';
import { blockOf, type LineBlock, lineBlocks, linesIn } from './line-blocks.js';
import { type CountedPiece, type LogPiece, missingIn, missingText, piecesOf } from './log-pieces.js';
import type { WholeLogDto } from './run-log.dto.js';
import { RunLogRepository } from './run-log.repository.js';

/** A log of fewer lines fits into the database, whatever their lengths. */
const FEWEST_LINES = 1_000;
const LINES_AT_ONCE = 1_000;

/** Reads all lines of a log, wherever they lie. */
@Injectable()
export class WholeLogReader {
  constructor(
    private readonly log: RunLogRepository,
    private readonly parts: RunLogPartsService,
  ) {}

  /** null: all of its lines are in the database, or the run goes on. */
  async factsOf({ id, logLines, phase }: SingleRunRow): Promise<WholeLogDto | null> {
    if (phase !== 'finished' || !(await this.isLong({ id, logLines }))) return null;
    const pieces = await this.piecesOf(id, { from: 0, to: logLines });
    return { bytes: bytesOf(pieces), missingLines: missingIn(pieces) };
  }

  /** Whether lines of it lie in the file store. */
  async isLong({ id, logLines }: Pick<SingleRunRow, 'id' | 'logLines'>): Promise<boolean> {
    return logLines > FEWEST_LINES && (await this.parts.of(id)).length > 0;
  }

  async piecesOf(id: string, part: { from: number; to: number }): Promise<CountedPiece[]> {
    // In this order: a line is put into the file store before it leaves the database.
    const chunks = await this.log.chunks(id);
    const pieces = piecesOf(chunks, await this.parts.of(id), part);
    return Promise.all(pieces.map((piece) => this.counted(id, piece)));
  }

  /** The text of a log, or a range of it. */
  async *text(id: string, pieces: readonly CountedPiece[], range: ByteRange): AsyncGenerator<Buffer> {
    const { start = 0, end = Infinity } = range;
    let next = 0;
    for (const piece of pieces) {
      const first = next;
      next += piece.bytes;
      if (next <= start) continue;
      if (first > end) return;
      const within = { start: Math.max(0, start - first), end: Math.min(piece.bytes - 1, end - first) };
      yield* this.textOf(id, piece, within);
    }
  }

  /** Its lines from number `after` on, as they lie together: some before that may come first. */
  async *blocks(id: string, pieces: readonly LogPiece[], after: number): AsyncGenerator<LineBlock> {
    for (const { from, to, place, blobKey } of pieces) {
      if (to <= after) continue;
      if (place === 'files') yield* lineBlocks(await this.parts.read({ blobKey: blobKey! }), from);
      else if (place === 'database') yield* this.stored(id, Math.max(from, after), to);
    }
  }

  private async *textOf(id: string, piece: CountedPiece, range: Required<ByteRange>): AsyncGenerator<Buffer> {
    const { from, to, place, blobKey } = piece;
    if (place === 'files') yield* await this.parts.read({ blobKey: blobKey! }, range);
    else if (place === 'none') yield Buffer.from(missingText(to - from)).subarray(range.start, range.end + 1);
    else {
      let next = 0;
      for await (const { text } of this.stored(id, from, to)) {
        const first = next;
        next += text.length;
        if (next > range.start) yield text.subarray(Math.max(0, range.start - first), range.end + 1 - first);
        if (next > range.end) return;
      }
    }
  }

  private async counted(id: string, piece: LogPiece): Promise<CountedPiece> {
    if (piece.bytes !== null) return { ...piece, bytes: piece.bytes };
    let bytes = 0;
    for await (const { text } of this.stored(id, piece.from, piece.to)) bytes += text.length;
    return { ...piece, bytes };
  }

  /** Lines that the database had a moment ago. */
  private async *stored(id: string, from: number, to: number): AsyncGenerator<LineBlock> {
    for (let next = from; next < to;) {
      const kept = await this.log.kept(id, next, Math.min(LINES_AT_ONCE, to - next));
      const gap = kept.findIndex(({ number }, place) => number !== next + place);
      const lines = gap === -1 ? kept : kept.slice(0, gap);
      const block = lines.length > 0 ? blockOf(lines) : await this.moved(id, next, to);
      yield block;
      next = block.first + block.lines;
    }
  }

  /** The next lines, which have been put into the file store meanwhile. */
  private async moved(id: string, next: number, to: number): Promise<LineBlock> {
    const parts = await this.parts.of(id);
    const part = parts.find(({ firstLine, lines }) => firstLine <= next && next < firstLine + lines);
    if (part) {
      for await (const block of lineBlocks(await this.parts.read(part), part.firstLine)) {
        const wanted = linesIn(block).filter(({ number }) => number >= next && number < to);
        if (wanted.length > 0) return blockOf(wanted);
      }
    }
    throw new Error('Lines of a log were deleted while it was read');
  }
}

export function bytesOf(pieces: readonly CountedPiece[]): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes, 0);
}
