import { describe, expect, it } from 'vitest';

import { noticeOf, refusalOf } from './usage-notices.js';

const END = new Date('2027-02-28T00:00:00Z');

describe('a notice', () => {
  it.each([
    [{ meter: 'runs', used: 5_000_000, limit: null }, null],
    [{ meter: 'runs', used: 799, limit: 1000 }, null],
    [
      { meter: 'runs', used: 800, limit: 1000 },
      '80 % of the limit are used: 800 of 1,000 runs. The count begins anew on 2027-02-28.',
    ],
    [
      { meter: 'run_seconds', used: 9_999, limit: 10_000 },
      '99 % of the limit are used: 9,999 of 10,000 seconds of running scripts. The count begins anew on 2027-02-28.',
    ],
    [
      { meter: 'runs', used: 1000, limit: 1000 },
      'The limit of 1,000 runs is reached: no more are possible. The count begins anew on 2027-02-28.',
    ],
    [{ meter: 'members', used: 4, limit: 5 }, '80 % of the limit are used: 4 of 5 members.'],
    [{ meter: 'members', used: 7, limit: 5 }, 'The limit of 5 members is reached: no more are possible.'],
    [{ meter: 'runs', used: 0, limit: 0 }, expect.stringContaining('The limit of 0 runs is reached')],
  ] as const)('of %o is %s', (reading, notice) => {
    expect(noticeOf(reading, END)).toEqual(notice);
  });
});

describe('a refusal', () => {
  it('says what is allowed, what is used and when that changes', () => {
    expect(refusalOf({ meter: 'runs', used: 1000, limit: 1000 }, 1, END)).toBe(
      'The plan allows 1,000 runs in a period, and 1,000 are used. The next period begins on 2027-02-28.',
    );
    expect(refusalOf({ meter: 'storage_bytes', used: 900, limit: 1000 }, 2048, END)).toBe(
      'The plan allows 1,000 bytes of files; there are 900, and this would be 2,048 more.',
    );
  });
});
