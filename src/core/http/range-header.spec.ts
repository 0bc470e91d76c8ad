import { describe, expect, it } from 'vitest';

import { parseRange } from './range-header.js';

describe('parseRange', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-5', { start: 2, end: 5 }],
    ['Bytes= 2-5 ', { start: 2, end: 5 }],
    ['bytes=8-', { start: 8, end: 9 }],
    ['bytes=8-99999999999999999999', { start: 8, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
  ])('%s of ten bytes', (header, expected) => {
    expect(parseRange(header, 10)).toEqual(expected);
  });

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999999999999-'])(
    '%s has no byte',
    (header) => {
      expect(parseRange(header, 10)).toBe('unsatisfiable');
    },
  );

  it('finds no byte in nothing', () => {
    expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseRange('bytes=-1', 0)).toBe('unsatisfiable');
  });

  it.each([
    null,
    '',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=0-1,4-5',
    'lines=1-2',
    'bytes=a-b',
    'bytes=0x1-2',
  ])('%s means everything', (header) => {
    expect(parseRange(header, 10)).toBeNull();
  });
});
