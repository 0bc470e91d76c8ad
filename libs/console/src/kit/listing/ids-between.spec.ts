import { expect, it } from 'vitest';

import { idsBetween } from './ids-between.js';

const ROWS = ['a', 'b', 'c', 'd'].map((id) => ({ id }));

it('goes either way, and is one where nothing was chosen before', () => {
  expect(idsBetween(ROWS, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(idsBetween(ROWS, 'c', 'a')).toEqual(['a', 'b', 'c']);
  expect(idsBetween(ROWS, 'b', 'b')).toEqual(['b']);
  expect(idsBetween(ROWS, null, 'c')).toEqual(['c']);
  expect(idsBetween(ROWS, 'gone', 'c')).toEqual(['c']);
});
