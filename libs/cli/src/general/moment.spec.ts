import { expect, it } from 'vitest';

import { endOf, momentOf } from './moment.js';

const NOW = Date.parse('2026-01-31T12:00:00Z');

it.each([
  ['30m', '2026-01-31T11:30:00.000Z'],
  ['2h', '2026-01-31T10:00:00.000Z'],
  ['7d', '2026-01-24T12:00:00.000Z'],
  ['2026-01-30', '2026-01-30T00:00:00.000Z'],
  ['2026-01-30T01:02:03+01:00', '2026-01-30T00:02:03.000Z'],
])('takes %s', (text, moment) => expect(momentOf('--since', text, NOW)).toBe(moment));

it.each(['', 'yesterday', '7', '7w', '-2h', '2026-13-01', '1'])('takes no %j', (text) => {
  expect(() => momentOf('--since', text, NOW)).toThrow('--since');
});

it('takes how long it is until an end', () => {
  expect(endOf('--expires', '90d', NOW)).toBe('2026-05-01T12:00:00.000Z');
  expect(endOf('--expires', '2026-03-01', NOW)).toBe('2026-03-01T00:00:00.000Z');
  expect(() => endOf('--expires', 'never', NOW)).toThrow('--expires');
});
