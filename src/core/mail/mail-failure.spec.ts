import { describe, expect, it } from 'vitest';

import { isRefused, reasonOf } from './mail-failure.js';

const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:25'), { code: 'ESOCKET' });

function refusal(code: string, responseCode: number): Error {
  const message = 'Message failed: 5xx http://gate.example/reset-password/hidden';
  return Object.assign(new Error(message), { code, responseCode, command: 'DATA' });
}

describe('a mail that could not be sent', () => {
  it('is given up at once where the server will never take it', () => {
    expect(isRefused(refusal('EENVELOPE', 550))).toBe(true);
    expect(isRefused(refusal('EMESSAGE', 554))).toBe(true);
  });

  it('is tried again where the server asks for patience or for another password', () => {
    expect(isRefused(refusal('EENVELOPE', 450))).toBe(false);
    expect(isRefused(refusal('EAUTH', 535))).toBe(false);
    expect(isRefused(away)).toBe(false);
  });

  it('is not quoted in the log by the reply of the server', () => {
    expect(reasonOf(refusal('EMESSAGE', 554))).toBe('the server replied 554 to DATA');
    expect(reasonOf(away)).toBe('connect ECONNREFUSED 127.0.0.1:25');
  });
});
