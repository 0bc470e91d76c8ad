import { expect, it } from 'vitest';

import { isJsonObject } from './json-object.js';

it('tells objects from what is written alike', () => {
  expect(isJsonObject({})).toBe(true);
  for (const other of [null, [], 'text', 1, undefined]) expect(isJsonObject(other)).toBe(false);
});
