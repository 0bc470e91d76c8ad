import { expect, it } from 'vitest';

import { jsonOrNull } from './json-or-null.js';

it('reads JSON, and nothing else', () => {
  expect(jsonOrNull('{"city":"Oslo"}')).toEqual({ city: 'Oslo' });
  expect(jsonOrNull('')).toBeNull();
  expect(jsonOrNull('<html>')).toBeNull();
});
