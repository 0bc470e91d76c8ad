import { describe, expect, it } from 'vitest';

import { cronAloud } from './cron-aloud.js';

describe('cronAloud', () => {
  it.each([
    ['30 9 * * mon-fri', 'At 09:30, Monday through Friday'],
    ['0 9 * * *', 'At 09:00, every day'],
    ['@daily', 'At 00:00, every day'],
    [' */15  * * * * ', 'Every 15 minutes'],
    ['0 0 1 * 1', 'At 00:00, on day 1 of the month, or on Monday'],
    ['0 9 1,15 * *', 'At 09:00, on day 1 and 15 of the month'],
    ['0 9 * * 7', 'At 09:00, only on Sunday'],
  ])('reads %s', (cron, words) => {
    expect(cronAloud(cron)).toBe(words);
  });

  it.each(['', 'often', '0 9 * *', '1 2 3 4 5 6', '99 9 * * *', '@reboot'])('says nothing of %s', (cron) => {
    expect(cronAloud(cron)).toBeNull();
  });
});
