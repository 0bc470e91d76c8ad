import { expect, it } from 'vitest';

import { localeOf } from './locale.js';

it.each([
  ['de', '1.234,5', '28 Nov'],
  ['fr-CA', '1,234.5', 'Nov 28'],
  ['en', '1,234.5', 'Nov 28'],
  ['en-GB', '1,234.5', '28 Nov'],
  ['tlh', '1,234.5', 'Nov 28'],
  ['C', '1,234.5', 'Nov 28'],
  ['en-US@posix', '1,234.5', 'Nov 28'],
  ['', '1,234.5', 'Nov 28'],
])('who reads %s reads English with %s and %s', (language, number, day) => {
  const locale = localeOf(language);
  expect((1234.5).toLocaleString(locale)).toBe(number);
  const format: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', timeZone: 'UTC' };
  expect(new Date('2026-11-28T12:00:00Z').toLocaleDateString(locale, format)).toBe(day);
});
