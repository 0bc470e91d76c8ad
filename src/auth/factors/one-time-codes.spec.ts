import { describe, expect, it } from 'vitest';

import { isTotpCode, newTotpSecret, secretText, stepOfCode, totpUri } from './one-time-codes.js';

/** Of RFC 6238, appendix B. Its codes have eight digits, of which ours are the last six. */
const SECRET = Buffer.from('12345678901234567890');
const VECTORS: [number, string][] = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
];

describe('a code of an app', () => {
  it.each(VECTORS)('at %d seconds is that of RFC 6238', (seconds, code) => {
    expect(stepOfCode(SECRET, code.slice(2), seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  it('is taken half a minute early or late, and says of which half minute it is', () => {
    const [seconds, code] = [1111111109, '081804'];
    const step = Math.floor(seconds / 30);
    for (const away of [-1, 0, 1]) expect(stepOfCode(SECRET, code, (step + away) * 30_000)).toBe(step);
    for (const away of [-2, 2]) expect(stepOfCode(SECRET, code, (step + away) * 30_000)).toBeNull();
  });

  it.each(['', '08180', '0818044', 'abcdef', '081804x', '-81804'])('is not %j', (text) => {
    expect(stepOfCode(SECRET, text, 1111111109_000)).toBeNull();
    expect(isTotpCode(text)).toBe(false);
  });

  it('may have the blank that apps show', () => {
    expect(stepOfCode(SECRET, ' 081 804', 1111111109_000)).toBe(37037036);
    expect(isTotpCode('081 804')).toBe(true);
  });
});

it('tells an app everything by one address', () => {
  const secret = newTotpSecret();
  expect(secret).toHaveLength(20);
  const uri = new URL(totpUri(secret, 'Gatehouse at acme.example', 'ada@acme.example'));
  expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp']);
  expect(decodeURIComponent(uri.pathname)).toBe('/Gatehouse at acme.example:ada@acme.example');
  expect(uri.searchParams.get('secret')).toBe(secretText(secret));
  expect(uri.searchParams.get('issuer')).toBe('Gatehouse at acme.example');
});
