import { describe, expect, it } from 'vitest';

import { MAIL_ATTEMPTS, reasonOf, secondsUntilRetry } from './mail-retries.js';

const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:25'), { code: 'ESOCKET' });

function refusal(code: string, responseCode: number): Error {
  const message = 'Message failed: 5xx http://gate.example/reset-password/hidden';
  return Object.assign(new Error(message), { code, responseCode, command: 'DATA' });
}

describe('a mail that could not be sent', () => {
  it('is tried again for about an hour, after longer and longer waits', () => {
    const waits = Array.from({ length: MAIL_ATTEMPTS - 1 }, (_, n) => secondsUntilRetry(n + 1, away)!);
    expect([...waits].sort((a, b) => a - b)).toEqual(waits);
    expect(waits[0]).toBeLessThanOrEqual(10);
    const total = waits.reduce((sum, seconds) => sum + seconds, 0);
    expect(total).toBeGreaterThan(3600);
    expect(total).toBeLessThan(2 * 3600);
  });

  it('is given up after the last try, and after more tries than there should be', () => {
    expect(secondsUntilRetry(MAIL_ATTEMPTS, away)).toBeNull();
    expect(secondsUntilRetry(MAIL_ATTEMPTS + 1, away)).toBeNull();
  });

  it('is given up at once where the server will never take it', () => {
    expect(secondsUntilRetry(1, refusal('EENVELOPE', 550))).toBeNull();
    expect(secondsUntilRetry(1, refusal('EMESSAGE', 554))).toBeNull();
  });

  it('is tried again where the server asks for patience or for another password', () => {
    expect(secondsUntilRetry(1, refusal('EENVELOPE', 450))).not.toBeNull();
    expect(secondsUntilRetry(1, refusal('EAUTH', 535))).not.toBeNull();
  });

  it('is not quoted in the log by the reply of the server', () => {
    expect(reasonOf(refusal('EMESSAGE', 554))).toBe('the server replied 554 to DATA');
    expect(reasonOf(away)).toBe('connect ECONNREFUSED 127.0.0.1:25');
  });
});
