import { describe, expect, it } from 'vitest';

import { maskerFor } from './masker.js';

const SECRET = 'sk_live/12345+"é"';

describe('maskerFor', () => {
  const masker = maskerFor([SECRET, '7654321', 'abc', 'first line\nsecond line']);

  it.each([
    [`key=${SECRET}!`, 'key=***!'],
    [`url ${encodeURIComponent(SECRET)}`, 'url ***'],
    [JSON.stringify({ key: SECRET }), '{"key":"***"}'],
    [Buffer.from(SECRET).toString('base64').replace(/=+$/, ''), /^\*\*\*.?$/],
    ['abc is too short', 'abc is too short'],
    ['on the second line', 'on the ***'],
  ])('masks %j', (text, masked) => expect(masker.maskLine(text)).toMatch(masked));

  it('masks whatever is in JSON, after its escapes are gone', () => {
    const escaped = [...SECRET]
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    const value: unknown = JSON.parse(`{"a": ["${escaped}", 7654321, 1, null, true], "${escaped}": {}}`);
    expect(masker.maskJson(value)).toEqual({ a: ['***', '***', 1, null, true], '***': {} });
    expect(masker.maskJson(`the key is ${SECRET}`)).toBe('the key is ***');
  });

  it('leaves a value as it is where there is nothing to mask', () => {
    const value = { a: [1, 'sk_live'] };
    expect(masker.maskJson(value)).toEqual(value);
    expect(maskerFor([]).maskJson(value)).toBe(value);
    expect(maskerFor(['short']).maskLine('short')).toBe('short');
  });

  it('tells how long a masked text may have been', () => {
    expect(maskerFor([]).longest).toBe(0);
    expect(masker.longest).toBeGreaterThanOrEqual(encodeURIComponent(SECRET).length);
  });
});
