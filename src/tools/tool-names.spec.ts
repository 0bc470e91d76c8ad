import { expect, it } from 'vitest';

import { nameForModel, partsOfCutName } from './tool-names.js';

it('keeps a short name, and cuts a long one so that it stays its own', () => {
  expect(nameForModel('nightly-report')).toBe('nightly-report');
  expect(nameForModel('a'.repeat(64))).toBe('a'.repeat(64));
  const [one, other] = [nameForModel(`${'a'.repeat(99)}1`), nameForModel(`${'a'.repeat(99)}2`)];
  expect([one.length, other.length]).toEqual([64, 64]);
  expect(one).toMatch(/^a{55}_[0-9a-f]{8}$/);
  expect(one).not.toBe(other);
  expect(partsOfCutName(one)).toEqual({ start: 'a'.repeat(55), digest: one.slice(56) });
  expect(partsOfCutName('nightly-report')).toBeNull();
});
