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

  it('masks whatever is in JSON, after its escapes are gone', async () => {
    const escaped = [...SECRET]
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    const value: unknown = JSON.parse(`{"a": ["${escaped}", 7654321, 1, null, true], "${escaped}": {}}`);
    expect(await masker.maskJson(value)).toEqual({ a: ['***', '***', 1, null, true], '***': {} });
    expect(await masker.maskJson(`the key is ${SECRET}`)).toBe('the key is ***');
  });

  it('leaves a value as it is where there is nothing to mask', async () => {
    const value = { a: [1, 'sk_live'] };
    expect(await masker.maskJson(value)).toEqual({ a: [1, 'sk_live'] });
    expect(await maskerFor([]).maskJson(value)).toBe(value);
    expect(maskerFor(['short']).maskLine('short')).toBe('short');
  });

  it('tells how long a masked text may have been', () => {
    expect(maskerFor([]).longest).toBe(0);
    expect(masker.longest).toBeGreaterThanOrEqual(encodeURIComponent(SECRET).length);
  });

  it('masks names that every object has, and keeps the order of names', async () => {
    const value: unknown = JSON.parse(
      `{"b": 1, "__proto__": "7654321", "7654321x": {"a": "7654321"}, "a": 2}`,
    );
    const masked = await masker.maskJson(value);
    expect(JSON.stringify(masked)).toBe('{"b":1,"__proto__":"***","***x":{"a":"***"},"a":2}');
  });

  it('lets others have their turn while it masks an output with very many texts', async () => {
    const output: unknown = JSON.parse(`[${'["a",{"b":"7654321"}],'.repeat(50_000)}1]`);
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const masked = (await masker.maskJson(output)) as unknown[];
    clearImmediate(next);
    expect(masked[49_999]).toEqual(['a', { b: '***' }]);
    expect(turns).toBeGreaterThan(2);
  });
});
