import { expect, it } from 'vitest';

import { nearest } from './nearest.js';

it.each([
  ['greter', 'greeter'],
  ['greteer', 'greeter'],
  ['Greeter', 'greeter'],
  ['export-dialy', 'export-daily'],
  ['mian', 'main'],
])('takes %s for %s', (typed, meant) => {
  expect(nearest(typed, ['other', 'export-weekly', 'main', 'export-daily', 'greeter'])).toBe(meant);
});

it.each(['x', 'something-else', ''])('takes "%s" for nothing', (typed) => {
  expect(nearest(typed, ['greeter', 'main'])).toBeNull();
});
