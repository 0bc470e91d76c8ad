import { describe, expect, it } from 'vitest';

import { arePut, missingIn, missingText, piecesOf } from './log-pieces.js';

const ALL = { from: 0, to: Infinity };
const chunk = (firstLine: number, to: number) => ({
  firstLine,
  lines: to - firstLine,
  bytes: to - firstLine,
});
const part = (firstLine: number, to: number) => ({
  firstLine,
  lines: to - firstLine,
  size: (to - firstLine) * 10,
  blobKey: `files/${firstLine}`,
});
/** Each as `database 0-20`, and whether its bytes are to be counted. */
const shown = (pieces: ReturnType<typeof piecesOf>): string[] =>
  pieces.map(({ place, from, to, bytes }) => `${place} ${from}-${to}${bytes === null ? ' ?' : ''}`);

describe('where the lines of a log lie', () => {
  it('goes from the beginning in the database over the file store to the end', () => {
    const pieces = piecesOf([chunk(0, 10), chunk(10, 20), chunk(80, 90)], [part(20, 50), part(50, 80)], ALL);
    expect(shown(pieces)).toEqual([
      'database 0-10',
      'database 10-20',
      'files 20-50',
      'files 50-80',
      'database 80-90',
    ]);
  });

  it('names what is missing', () => {
    const pieces = piecesOf([chunk(5, 10), chunk(80, 90)], [part(20, 50)], ALL);
    expect(shown(pieces)).toEqual([
      'none 0-5',
      'database 5-10',
      'none 10-20',
      'files 20-50',
      'none 50-80',
      'database 80-90',
    ]);
    expect(missingIn(pieces)).toBe(45);
    expect(pieces[2]!.bytes).toBe(Buffer.byteLength(missingText(10)));
    expect(missingText(1)).toMatch(/^\[1 line is missing here: .*\]\n$/);
    expect(piecesOf([], [], ALL)).toEqual([]);
  });

  it('names what was counted and never stored, but not a log that has been deleted', () => {
    const ended = { from: 0, to: 12 };
    expect(shown(piecesOf([chunk(0, 10)], [], ended))).toEqual(['database 0-10', 'none 10-12']);
    expect(piecesOf([], [], ended)).toEqual([]);
  });

  it('has a line once that is in both places', () => {
    const pieces = piecesOf([chunk(0, 10), chunk(10, 30), chunk(30, 60)], [part(20, 40)], ALL);
    expect(shown(pieces)).toEqual(['database 0-10', 'database 10-20 ?', 'files 20-40', 'database 40-60 ?']);
    const inside = piecesOf([chunk(0, 60)], [part(20, 40)], ALL);
    expect(shown(inside)).toEqual(['database 0-20 ?', 'files 20-40', 'database 40-60 ?']);
  });

  it('is limited to an attempt', () => {
    const chunks = [chunk(0, 10), chunk(50, 60), chunk(60, 70), chunk(90, 100)];
    const parts = [part(10, 50), part(70, 90)];
    expect(shown(piecesOf(chunks, parts, { from: 60, to: 100 }))).toEqual([
      'database 60-70',
      'files 70-90',
      'database 90-100',
    ]);
    expect(shown(piecesOf(chunks, parts, { from: 0, to: 60 }))).toHaveLength(3);
  });
});

describe('arePut', () => {
  it('is so only where no line of a range is left out', () => {
    const parts = [part(20, 50), part(50, 80), part(90, 95)];
    expect([arePut(parts, 20, 80), arePut(parts, 30, 60)]).toEqual([true, true]);
    expect([arePut(parts, 19, 30), arePut(parts, 20, 91), arePut([], 1, 2)]).toEqual([false, false, false]);
  });
});
