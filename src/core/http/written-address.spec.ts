import { expect, it } from 'vitest';

import { writtenAddress } from './written-address.js';

it.each([
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:0:0::7', '2001:db8::7'],
  ['what a proxy says', 'what a proxy says'],
])('%s is written %s', (address, written) => {
  expect(writtenAddress(address)).toBe(written);
});
