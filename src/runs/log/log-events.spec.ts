import { describe, expect, it } from 'vitest';

import { inBatches } from './log-events.js';

const EARLY = new Date('2026-01-31T12:00:00.000Z');
const LATE = new Date('2026-01-31T12:00:00.250Z');

function eventsOf(text: string): [string, unknown][] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, id = '', data = ''] = /^event: lines\nid: (\d+)\ndata: (.*)$/.exec(block) ?? [];
      return [id, JSON.parse(data)];
    });
}

describe('inBatches', () => {
  it('puts lines together that follow each other and were stored at once', () => {
    const text = inBatches([
      { number: 3, line: 'a', at: EARLY },
      { number: 4, line: 'b', at: EARLY },
      { number: 5, line: 'c', at: LATE },
      { number: 8, line: '[2 lines were dropped here]' },
      { number: 9, line: 'd', at: LATE },
    ]);
    expect(eventsOf(text)).toEqual([
      ['5', { first: 3, lines: ['a', 'b'], at: EARLY.toISOString() }],
      ['6', { first: 5, lines: ['c'], at: LATE.toISOString() }],
      ['9', { first: 8, lines: ['[2 lines were dropped here]'], at: null }],
      ['10', { first: 9, lines: ['d'], at: LATE.toISOString() }],
    ]);
  });

  it('makes an event of 500 lines at most', () => {
    const lines = Array.from({ length: 1100 }, (_, number) => ({ number, line: '', at: null }));
    expect(eventsOf(inBatches(lines)).map(([id]) => id)).toEqual(['500', '1000', '1100']);
  });
});
