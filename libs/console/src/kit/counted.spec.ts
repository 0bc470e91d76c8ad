import { expect, it } from 'vitest';

import { counted } from './counted.js';

it('says how many there are', () => {
  expect(counted(0, 'run')).toBe('0 runs');
  expect(counted(1, 'run')).toBe('1 run');
  expect(counted(2_500, 'entry', 'entries')).toBe('2,500 entries');
});
