import { describe, expect, it } from 'vitest';

import { MESSAGE_ATTEMPTS, secondsUntilRetry } from './message-retries.js';

describe('a message that could not be sent', () => {
  it('is tried again for about an hour, after longer and longer waits', () => {
    const waits = Array.from({ length: MESSAGE_ATTEMPTS - 1 }, (_, n) => secondsUntilRetry(n + 1)!);
    expect([...waits].sort((a, b) => a - b)).toEqual(waits);
    expect(waits[0]).toBeLessThanOrEqual(10);
    const total = waits.reduce((sum, seconds) => sum + seconds, 0);
    expect(total).toBeGreaterThan(3600);
    expect(total).toBeLessThan(2 * 3600);
  });

  it('is given up after the last try, and after more tries than there should be', () => {
    expect(secondsUntilRetry(MESSAGE_ATTEMPTS)).toBeNull();
    expect(secondsUntilRetry(MESSAGE_ATTEMPTS + 1)).toBeNull();
  });
});
